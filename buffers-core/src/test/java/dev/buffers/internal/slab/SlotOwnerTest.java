// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.internal.settings.ExplicitSettings;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.support.BareOwner;
import dev.buffers.support.Explicit;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlotOwnerTest {

    private static final class Owner extends BareOwner {
        Owner(ExplicitSettings settings) {
            super(ResolvedSettings.resolve("owner", settings, Map.of(), Map.of()), 1);
            close();
        }
    }

    @Test
    void queueOfLostLeasesIsNotShared() {
        Owner one = new Owner(new Explicit());
        Owner other = new Owner(new Explicit());
        Slot slot = one.slab(0, 1).take();
        slot.enqueue();
        assertNull(other.lost.poll());
        assertSame(slot, one.lost.poll());
    }
}
