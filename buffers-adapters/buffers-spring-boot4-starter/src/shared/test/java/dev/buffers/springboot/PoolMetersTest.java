// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.buffers.springboot.docs.RequestedSizes;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which meters an application has without any code, and with a bean for more. */
class PoolMetersTest {
    private static final List<String> POOLS = List.of("server", "server-heap", "application");

    private static Meter meter(RunningApplication application, String name, String pool) {
        return application
                .context()
                .getBean(MeterRegistry.class)
                .find(name)
                .tag("pool", pool)
                .meter();
    }

    @Test
    void waitsAreShownAndRequestedSizesAreNot() {
        try (RunningApplication application = ThisBoot.onlyServer(List.of(TestApplication.class))) {
            for (String pool : POOLS) {
                assertNotNull(meter(application, "buffers.pool.waits", pool), pool);
                assertNull(meter(application, "buffers.pool.requested", pool), pool);
            }
        }
    }

    @Test
    void beanShowsRequestedSizesBesideTheOtherMeters() {
        try (RunningApplication application =
                ThisBoot.onlyServer(List.of(TestApplication.class, RequestedSizes.class))) {
            application.pools().pool().acquire(12_345).release();
            MeterRegistry registry = application.context().getBean(MeterRegistry.class);
            assertEquals(
                    12_345,
                    registry.get("buffers.pool.requested")
                            .tag("pool", "server")
                            .summary()
                            .max());
            assertNull(meter(application, "buffers.pool.requested", "server-heap"));
            for (String pool : POOLS) {
                assertNotNull(meter(application, "buffers.pool.waits", pool), pool);
                assertNotNull(meter(application, "buffers.pool.memory.max", pool), pool);
            }
        }
    }
}
