package dev.buffers.grizzly;

import org.glassfish.grizzly.memory.MemoryProbe;
import org.glassfish.grizzly.monitoring.DefaultMonitoringConfig;
import org.glassfish.grizzly.monitoring.MonitoringConfig;

/** Who is told of each buffer, if anyone is; called by the thread that allocates or disposes. */
final class Probes {
    private final DefaultMonitoringConfig<MemoryProbe> config = new DefaultMonitoringConfig<>(MemoryProbe.class);

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
