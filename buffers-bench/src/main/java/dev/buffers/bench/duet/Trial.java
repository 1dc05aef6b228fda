package dev.buffers.bench.duet;

import java.util.List;

/**
 * What is asked of one cell about one challenger.
 *
 * @param label for the table: the size, and whatever else tells it from the others
 * @param shape in which of two shapes the caller is compiled; empty where there is but one. Trials of one label and several shapes are one
 * @param cell its name
 * @param challenger its variant's name
 * @param figure {@link #CPU}, {@link #WALL}, or one that the contestant reports besides
 * @param scale by which the challenger's cost is multiplied first: 1, unless an operation of the base does another amount of work
 */
public record Trial(
        String label, String shape, String cell, String challenger, String figure, double scale, Question question) {
    /** CPU time of the process for an operation. */
    public static final String CPU = "cpu";

    /** Wall time for an operation. */
    public static final String WALL = "wall";

    /** Of CPU time, at one size, in one shape. */
    public static Trial of(Cell cell, Variant challenger, Question question) {
        return new Trial(cell.name(), "", cell.name(), challenger.name(), CPU, 1, question);
    }

    /** The base against itself. */
    public static Trial control(String cell) {
        return new Trial(cell, "", cell, Match.CONTROL, CPU, 1, Question.EITHER);
    }

    /** The trials of each challenger in each cell. */
    public static List<Trial> each(List<Cell> cells, List<Variant> challengers, Question question) {
        return cells.stream()
                .flatMap(cell -> challengers.stream().map(challenger -> of(cell, challenger, question)))
                .toList();
    }
}
