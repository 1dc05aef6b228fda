// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Run without the actuator and without Micrometer on the class path; and what an application may bring itself. */
class BareApplicationTest {
    @Test
    void neitherIsThereWhereTheBuildSaysSo() {
        assertEquals(!Boolean.getBoolean("bare"), isThere("io.micrometer.core.instrument.MeterRegistry"));
        assertEquals(
                !Boolean.getBoolean("bare"), isThere("org.springframework.boot.actuate.endpoint.annotation.Endpoint"));
    }

    private static boolean isThere(String name) {
        try {
            Class.forName(name);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @Test
    void theServerIsOnThePoolWithWhateverElseIsThere() throws Exception {
        try (RunningApplication application = ThisBoot.onlyServer(List.of(TestApplication.class))) {
            assertEquals("hello", application.get("/hello"));
            assertTrue(ServerContract.acquires(application.pools().pool()) > 0);
        }
    }

    @Test
    void poolsOfTheApplicationTakeTheirPlace() throws Exception {
        try (RunningApplication application = ThisBoot.onlyServer(List.of(TestApplication.class, OwnPools.class))) {
            assertEquals("hello", application.get("/hello"));
            assertEquals("mine", application.pools().pool().name());
            assertTrue(ServerContract.acquires(application.pools().pool()) > 0);
            assertEquals(
                    "another", application.context().getBean(BufferPool.class).name(), "ours gives way");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnPools {
        @Bean
        ServerBufferPools pools() {
            return ServerBufferPools.of(
                    BufferPool.create("mine"),
                    BufferPool.builder("mine-heap").policy("heap").build());
        }

        @Bean
        BufferPool another() {
            return BufferPool.create("another");
        }
    }
}
