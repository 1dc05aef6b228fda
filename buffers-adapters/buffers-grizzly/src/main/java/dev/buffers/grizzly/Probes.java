// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import org.glassfish.grizzly.memory.MemoryManager;
import org.glassfish.grizzly.memory.MemoryProbe;
import org.glassfish.grizzly.monitoring.DefaultMonitoringConfig;
import org.glassfish.grizzly.monitoring.MonitoringConfig;
import org.glassfish.grizzly.monitoring.MonitoringUtils;
import org.jspecify.annotations.Nullable;

/** The probes that are notified of each buffer, if there are any; called by the thread that allocates or disposes. */
final class Probes {
    /** The JMX class of Grizzly's own memory managers, in an artifact that may be missing: grizzly-framework-monitoring. */
    private static final String JMX_OBJECT = "org.glassfish.grizzly.memory.jmx.MemoryManager";

    private final DefaultMonitoringConfig<MemoryProbe> config;

    Probes(MemoryManager<?> of) {
        this.config = new DefaultMonitoringConfig<>(MemoryProbe.class) {
            @Override
            public @Nullable Object createManagementObject() {
                return MonitoringUtils.loadJmxObject(JMX_OBJECT, of, MemoryManager.class);
            }
        };
    }

    MonitoringConfig<MemoryProbe> config() {
        return config;
    }

    /** New memory, which no later buffer will have. */
    void allocated(int size) {
        MemoryProbe[] probes = config.getProbesUnsafe();
        if (probes != null) {
            for (MemoryProbe probe : probes) {
                probe.onBufferAllocateEvent(size);
            }
        }
    }

    void allocatedFromPool(int size) {
        MemoryProbe[] probes = config.getProbesUnsafe();
        if (probes != null) {
            for (MemoryProbe probe : probes) {
                probe.onBufferAllocateFromPoolEvent(size);
            }
        }
    }

    void released(int size) {
        MemoryProbe[] probes = config.getProbesUnsafe();
        if (probes != null) {
            for (MemoryProbe probe : probes) {
                probe.onBufferReleaseToPoolEvent(size);
            }
        }
    }
}
