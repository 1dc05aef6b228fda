package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.BufferPool;
import dev.buffers.internal.signals.FlightEventsTest;
import dev.buffers.internal.signals.PoolState;
import dev.buffers.support.Eventually;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolSamplerTest {
    @TempDir
    Path folder;

    /** How many events one call makes. */
    private int events(PoolSampler sampler) throws Exception {
        Path file = folder.resolve("sampler.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.buffers.PoolStatistics");
            recording.start();
            sampler.run();
            recording.stop();
            recording.dump(file);
        }
        List<String> names = FlightEventsTest.names(FlightEventsTest.ours(file));
        return (int) names.stream().filter("dev.buffers.PoolStatistics"::equals).count();
    }

    /** The recorder may hold the sampler for as long as it likes: that keeps no pool. */
    @Test
    void aPoolIsSampledWhileThereIsOne() throws Exception {
        BufferPool pool = BufferPool.builder("sampled").policy("heap").build();
        PoolSampler sampler = new PoolSampler((PoolState) pool);
        assertEquals(1, events(sampler));
        WeakReference<BufferPool> weak = new WeakReference<>(pool);
        pool.close();
        pool = null;
        Eventually.collected("the pool goes", () -> weak.get() == null);
        assertEquals(0, events(sampler));
    }
}
