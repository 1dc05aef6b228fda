package dev.buffers.bench.duet;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Handles Ctrl-C during a run: ends the game that is played, and lets the JVM end after the report of what is known is written. */
public final class Interruption {
    private static final int SECONDS_TO_ANSWER = 30;

    private final CountDownLatch reported = new CountDownLatch(1);
    private final Duet duet;
    private final Thread hook = new Thread(this::stopAndWait, "interrupted");

    private Interruption(Duet duet) {
        this.duet = duet;
    }

    /** From now on Ctrl-C stops this run. */
    public static Interruption stops(Duet duet) {
        Interruption interruption = new Interruption(duet);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void stopAndWait() {
        duet.stop();
        try {
            reported.await(SECONDS_TO_ANSWER, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Everything has been reported; from now on Ctrl-C just ends the JVM. */
    public void answered() {
        reported.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is ending, and the hook with it
        }
    }
}
