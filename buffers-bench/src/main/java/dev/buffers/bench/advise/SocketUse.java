package dev.buffers.bench.advise;

import dev.buffers.PooledBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does a request and its answer take over a loopback connection, with a buffer acquired for each? The request is a sixteenth
 * of the buffer, the answer fills it. The client's buffers are its own, direct and always the same; it checks that each answer is the
 * one to its request.
 *
 * <p>{@code java -jar buffers-bench/target/buffers-bench.jar jmh SocketUse}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(5)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public class SocketUse extends PoolInUse {
    private static final int REQUESTS_SHARE = 16;

    /** Of the buffer, in bytes. */
    @Param("8192")
    public int size;

    private Loopback loopback;
    private ByteBuffer request;
    private ByteBuffer answer;
    private byte[] body;
    private long number;

    @Setup(Level.Trial)
    public void connect() throws IOException {
        loopback = Loopback.open();
        request = ByteBuffer.allocateDirect(size / REQUESTS_SHARE);
        answer = ByteBuffer.allocateDirect(size);
        body = new byte[size - Long.BYTES];
    }

    /** One request and its answer. */
    @Benchmark
    public long exchange() throws IOException {
        write(request.clear().putLong(0, ++number), loopback.client());
        serve();
        read(answer.clear(), loopback.client());
        if (answer.getLong(0) != number) {
            throw new IllegalStateException("another's answer: number=" + answer.getLong(0) + ", wanted=" + number);
        }
        return number;
    }

    private void serve() throws IOException {
        try (PooledBuffer lease = pool.acquire(size)) {
            ByteBuffer buffer = lease.buffer();
            read(buffer.limit(request.capacity()), loopback.server());
            long asked = buffer.getLong(0);
            write(buffer.clear().limit(size).putLong(asked).put(body).flip(), loopback.server());
        }
    }

    private static void read(ByteBuffer buffer, SocketChannel from) throws IOException {
        while (buffer.hasRemaining()) {
            if (from.read(buffer) < 0) {
                throw new EOFException("the connection has ended");
            }
        }
    }

    private static void write(ByteBuffer buffer, SocketChannel to) throws IOException {
        while (buffer.hasRemaining()) {
            to.write(buffer);
        }
    }

    @TearDown(Level.Trial)
    public void disconnect() throws IOException {
        loopback.close();
    }
}
