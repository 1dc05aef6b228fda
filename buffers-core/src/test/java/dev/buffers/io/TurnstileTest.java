package dev.buffers.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One call inside at a time, and what is held is ended once: by the close or by the call that it met (T1, T2). */
class TurnstileTest {
    private final Turnstile turnstile = new Turnstile();

    @Test
    void oneAtATime() throws IOException {
        turnstile.enter();
        assertThrows(IllegalStateException.class, turnstile::enter);
        assertTrue(turnstile.leave());
        turnstile.enter();
        assertTrue(turnstile.leave());
    }

    @Test
    void aCloseOfAFreeOneIsTheClosersToEnd() throws IOException {
        assertTrue(turnstile.close());
        assertFalse(turnstile.isClosed());
        assertFalse(turnstile.close());
        assertThrows(IOException.class, turnstile::enter);
        turnstile.ended();
        assertTrue(turnstile.isClosed());
        assertFalse(turnstile.close());
        assertThrows(IOException.class, turnstile::enter);
    }

    @Test
    void aCloseOfABusyOneIsTheCallsToEnd() throws IOException {
        turnstile.enter();
        assertFalse(turnstile.close());
        assertFalse(turnstile.close());
        assertFalse(turnstile.isClosed());
        assertThrows(IOException.class, turnstile::enter);
        assertFalse(turnstile.leave());
        assertTrue(turnstile.isClosed());
    }

    @Test
    void oneEndsItWhateverTheMoment() throws Exception {
        for (int i = 0; i < 3000; i++) {
            Turnstile raced = new Turnstile();
            AtomicInteger ends = new AtomicInteger();
            Thread caller = new Thread(() -> {
                try {
                    for (; ; ) {
                        raced.enter();
                        if (!raced.leave()) {
                            ends.incrementAndGet();
                        }
                    }
                } catch (IOException e) {
                    return;
                }
            });
            caller.start();
            for (int spins = i & 1023; spins > 0; spins--) {
                Thread.onSpinWait();
            }
            if (raced.close()) {
                ends.incrementAndGet();
            }
            caller.join();
            assertEquals(1, ends.get());
        }
    }
}
