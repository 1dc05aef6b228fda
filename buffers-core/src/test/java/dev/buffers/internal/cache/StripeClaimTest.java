package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Threads;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A stripe is one thread's at a time. */
class StripeClaimTest {
    private final ThreadCache stripe = new ThreadCache(null, 1);

    @Test
    void aClaimLastsUntilItIsGivenUp() {
        assertTrue(stripe.tryClaim());
        assertFalse(stripe.tryClaim());
        stripe.unclaim();
        assertTrue(stripe.tryClaim());
    }

    @Test
    void ofThreadsThatClaimAtOnceOneWins() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        Threads.together(Collections.nCopies(2, () -> {
            for (int i = 0; i < 1_000_000; i++) {
                if (stripe.tryClaim()) {
                    assertEquals(1, inside.incrementAndGet());
                    inside.decrementAndGet();
                    stripe.unclaim();
                }
            }
        }));
    }
}
