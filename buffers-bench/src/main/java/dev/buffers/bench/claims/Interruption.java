package dev.buffers.bench.claims;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What Ctrl-C does while a campaign runs: it ends the fork that is under way and the campaign with it, and lets the JVM end once what is
 * known has been told.
 */
public final class Interruption {
    private static final int SECONDS_TO_ANSWER = 30;

    private final CountDownLatch answered = new CountDownLatch(1);
    private final Campaign campaign;
    private final Thread hook = new Thread(this::stopAndWait, "interrupted");

    private Interruption(Campaign campaign) {
        this.campaign = campaign;
    }

    /** From now on Ctrl-C stops this campaign. */
    public static Interruption stops(Campaign campaign) {
        Interruption interruption = new Interruption(campaign);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    private void stopAndWait() {
        campaign.stop();
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        try {
            answered.await(SECONDS_TO_ANSWER, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Everything has been told; from now on Ctrl-C just ends the JVM. */
    public void answered() {
        answered.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is ending, and the hook with it
        }
    }
}
