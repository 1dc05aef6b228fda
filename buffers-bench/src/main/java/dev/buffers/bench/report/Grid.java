package dev.buffers.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of texts.
 *
 * @param rows each as long as the headings
 */
record Grid(String caption, List<String> headings, List<List<String>> rows) {

    /** A text and the heading that it stands under: on a narrow screen a row becomes a card of these. */
    record Cell(String label, String value) {}

    /** The rows, each text with its heading. */
    List<List<Cell>> cards() {
        return rows.stream().map(this::card).toList();
    }

    private List<Cell> card(List<String> row) {
        List<Cell> card = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            card.add(new Cell(headings.get(i), row.get(i)));
        }
        return card;
    }
}
