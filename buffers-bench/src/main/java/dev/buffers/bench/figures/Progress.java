package dev.buffers.bench.figures;

import java.io.PrintStream;
import java.util.Locale;

/** Says on plain lines what is being done and about how long the rest will take. */
public final class Progress {
    private final PrintStream out;
    private final long begin = System.nanoTime();
    private final double plannedSeconds;
    private double doneSeconds;

    public Progress(PrintStream out, double plannedSeconds) {
        this.out = out;
        this.plannedSeconds = plannedSeconds;
    }

    /** Reports that work planned to take {@code seconds} is done. */
    public void done(double seconds, String what) {
        doneSeconds += seconds;
        double elapsed = (System.nanoTime() - begin) / 1e9;
        double pace = Math.max(1, elapsed / doneSeconds);
        double left = Math.max(0, plannedSeconds - doneSeconds) * pace;
        out.printf("[%s, %s left] %s%n", time(elapsed), time(left), what);
        out.flush();
    }

    /** Minutes and seconds. */
    public static String time(double seconds) {
        long whole = Math.round(seconds);
        return String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
    }
}
