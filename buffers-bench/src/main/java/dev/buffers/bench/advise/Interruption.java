package dev.buffers.bench.advise;

import dev.buffers.bench.claims.Campaign;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What Ctrl-C does while a campaign runs: it stops the campaign, and lets the JVM end once what is known has been told. */
final class Interruption {
    private static final int SECONDS_TO_ANSWER = 30;

    private final CountDownLatch answered = new CountDownLatch(1);
    private final Campaign campaign;
    private final Thread hook = new Thread(this::stopAndWait, "advise-interrupted");

    private Interruption(Campaign campaign) {
        this.campaign = campaign;
    }

    static Interruption stops(Campaign campaign) {
        Interruption interruption = new Interruption(campaign);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void stopAndWait() {
        campaign.stop();
        try {
            answered.await(SECONDS_TO_ANSWER, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Everything has been told; from now on Ctrl-C just ends the JVM. */
    void answered() {
        answered.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is ending, and the hook with it
        }
    }
}
