package dev.buffers.bench.claims.sockets;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** An echo server that says what it has used and what it holds, here or in a JVM of its own. */
interface Counted {
    long PATIENCE_SECONDS = 5;

    Echo.Numbers numbers() throws IOException, InterruptedException;

    /** Waits until nobody is connected, when nothing may be out. */
    default void awaitRest() throws IOException, InterruptedException {
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!numbers().atRest()) {
            if (System.nanoTime() - patience > 0) {
                throw new IOException("not given back: " + numbers());
            }
            Thread.sleep(1);
        }
    }
}
