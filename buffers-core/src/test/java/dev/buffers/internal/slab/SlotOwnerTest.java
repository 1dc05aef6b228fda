package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.PoolSettings;
import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Explicit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SlotOwnerTest {

    private static final class Owner extends BareOwner {
        Owner(ExplicitSettings settings) {
            super(ResolvedSettings.resolve("owner", settings, Map.of(), Map.of()), 1);
            close();
        }
    }

    /** Only where slots lie side by side, and where a user can write past the end of a buffer: through its array. */
    @ParameterizedTest
    @CsvSource({
        "heap-view, true, true",
        "heap-view, false, false",
        "direct-view, true, false",
        "heap, true, false",
        "unpooled, true, false"
    })
    void canariesLieBetweenGuardedViewsOfOneArray(String policy, boolean guard, boolean lays) {
        SlotOwner owner = new Owner(new Explicit().policy(policy).guard(guard));
        assertEquals(lays, owner.laysCanaries);
    }

    @ParameterizedTest
    @EnumSource
    void leasesAreRecycledAsTheSettingSays(PoolSettings.LeaseMode mode) {
        boolean recycled = mode == PoolSettings.LeaseMode.RECYCLED;
        assertEquals(recycled, new Owner(new Explicit().leases(mode)).recyclesLeases);
    }

    @Test
    void eachHasItsOwnQueueOfLostLeases() {
        Owner one = new Owner(new Explicit());
        Owner other = new Owner(new Explicit());
        Slot slot = one.slab(0, 1).take();
        slot.enqueue();
        assertEquals(null, other.lost.poll());
        assertEquals(slot, one.lost.poll());
    }
}
