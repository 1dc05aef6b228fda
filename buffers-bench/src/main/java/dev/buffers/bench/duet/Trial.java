package dev.buffers.bench.duet;

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

    /** Of CPU time, in one shape, with the challenger's name for a label. */
    public static Trial of(String cell, String challenger, Question question) {
        return new Trial(challenger, "", cell, challenger, CPU, 1, question);
    }

    public Trial labelled(String other) {
        return new Trial(other, shape, cell, challenger, figure, scale, question);
    }
}
