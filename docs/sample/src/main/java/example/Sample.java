package example;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PooledBuffer;
import dev.buffers.io.BufferChain;
import dev.buffers.micrometer.BufferPoolMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;

/** Sends a greeting through a pipe, and reads from a meter how much is left in the pool. */
public final class Sample {
    private Sample() {}

    public static void main(String[] args) throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        BufferPool pool = BufferPool.create("sample");
        BufferPoolMetrics metrics = BufferPoolMetrics.monitor(registry, pool);

        String greeting = greet(pool);
        double leases = registry.get("buffers.pool.acquires").functionCounters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();

        metrics.close();
        pool.close();
        Module module = Sample.class.getModule();
        System.out.println((module.isNamed() ? "module " + module.getName() : "class path") + ": " + greeting
                + ", acquires: " + (long) leases);
        if (!greeting.equals("hello") || leases != 2) {
            throw new AssertionError("expected hello and 2 acquires");
        }
    }

    static String greet(BufferPool pool) throws IOException {
        Pipe pipe = Pipe.open();
        try (Pipe.SinkChannel sink = pipe.sink();
                Pipe.SourceChannel source = pipe.source();
                ChannelBuffers channel = pool.channel();
                BufferChain unsent = new BufferChain()) {
            PooledBuffer greeting = pool.acquire(5);
            greeting.buffer().put("hello".getBytes(StandardCharsets.UTF_8)).flip();
            unsent.add(greeting);
            unsent.writeTo(sink); // a channel that blocks takes everything
            channel.readFrom(source);
            try (PooledBuffer received = channel.handOffInput()) {
                ByteBuffer bytes = received.buffer();
                return StandardCharsets.UTF_8.decode(bytes).toString();
            }
        }
    }
}
