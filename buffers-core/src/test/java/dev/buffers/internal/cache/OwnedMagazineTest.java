// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.FieldLayout;

@Tag("jol")
class OwnedMagazineTest {
    private static final int LINE = 64;

    @Test
    void ownerLiesApartFromTheFieldsThatAHitWrites() {
        ClassLayout layout = ClassLayout.parseClass(Magazine.class);
        long endOfOwner = 0;
        long first = Long.MAX_VALUE;
        for (FieldLayout field : layout.fields()) {
            if (field.name().equals("owner")) {
                endOfOwner = field.offset() + field.size();
            } else if (field.classShortName().equals("Magazine")) {
                first = Math.min(first, field.offset());
            }
        }
        assertTrue(endOfOwner > 0 && first < layout.instanceSize(), layout::toPrintable);
        assertTrue(first >= endOfOwner + LINE - 1, layout::toPrintable);
    }
}
