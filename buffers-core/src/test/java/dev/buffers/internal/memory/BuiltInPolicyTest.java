// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class BuiltInPolicyTest {

    @ParameterizedTest
    @CsvSource({
        "heap, false, false, true",
        "direct, true, false, true",
        "heap-view, false, true, true",
        "direct-view, true, true, true",
        "unpooled, false, false, false"
    })
    void policyIsFoundByNameAndReportsItsKind(String name, boolean direct, boolean views, boolean pooled) {
        BuiltInPolicy policy = BuiltInPolicy.named(name).orElseThrow();
        assertEquals(name, policy.name());
        assertEquals(name, policy.toString());
        assertEquals(direct, policy.direct());
        assertEquals(views, policy.views());
        assertEquals(pooled, policy.pooled());
    }

    @Test
    void theListIsComplete() {
        assertEquals(
                List.of("heap", "direct", "heap-view", "direct-view", "unpooled"),
                BuiltInPolicy.ALL.stream().map(BuiltInPolicy::name).toList());
        assertEquals(Optional.empty(), BuiltInPolicy.named("HEAP"));
    }

    @Test
    void eachKeepsTheContractOfBufferPolicy() {
        for (BuiltInPolicy policy : BuiltInPolicy.ALL) {
            ByteBuffer buffer = policy.allocate(12_345);
            assertEquals(12_345, buffer.capacity());
            assertEquals(0, buffer.position());
            assertEquals(policy.direct(), buffer.isDirect());
            assertFalse(buffer.isReadOnly());
            if (!policy.direct()) {
                assertTrue(buffer.hasArray());
                assertEquals(0, buffer.arrayOffset());
                assertEquals(12_345, buffer.array().length);
            }
        }
    }
}
