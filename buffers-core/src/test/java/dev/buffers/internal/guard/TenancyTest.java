// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.guard;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TenancyTest {
    private final List<Boolean> takenBack = new ArrayList<>();
    private final Tenancy tenancy = new Tenancy(
            new Tenancy.Owner() {
                @Override
                public String name() {
                    return "tenancy";
                }

                @Override
                public void takeBack(Tenancy ended, boolean discards) {
                    takenBack.add(discards);
                }

                @Override
                public IllegalStateException ended(Tenancy tenancy, boolean release, Throwable released) {
                    return new IllegalStateException();
                }
            },
            new Block(128),
            100,
            ByteBuffer.allocate(128),
            new ReferenceQueue<>());

    @Test
    void holdsAreLimited() {
        for (int i = 0; i < 32_767; i++) {
            assertTrue(tenancy.hold());
        }
        assertThrows(IllegalStateException.class, tenancy::hold);
    }
}
