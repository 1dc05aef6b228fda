package dev.buffers.bench.report;

import dev.buffers.bench.page.Drawing;
import java.io.IOException;
import java.util.Optional;

/** Draws the charts of one report; gives up at the first that this Java runtime cannot draw. Not thread-safe. */
final class Artist {
    private final Pen pen;
    private boolean gaveUp;

    Artist(Pen pen) {
        this.pen = pen;
    }

    /** How a chart is drawn. */
    interface Pen {
        String draw(Chart chart, String description) throws IOException;
    }

    Optional<String> draw(Chart chart, String description) {
        if (gaveUp) {
            return Optional.empty();
        }
        Optional<String> drawing = Drawing.attempt(() -> pen.draw(chart, description));
        gaveUp = drawing.isEmpty();
        return drawing;
    }

    boolean gaveUp() {
        return gaveUp;
    }
}
