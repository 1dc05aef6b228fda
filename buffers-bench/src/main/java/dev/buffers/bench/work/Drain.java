package dev.buffers.bench.work;

import dev.buffers.bench.duet.Outside;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** The thread at the far end of a connection: reads until its end, counts, and looks at one byte of each read. */
final class Drain extends Thread {
    private static final int ROOM = 256 << 10;
    private static final long PATIENCE_MILLIS = 10_000;

    private final SocketChannel channel;
    private final byte[] content;
    private long count;
    private @Nullable IOException failure;

    /** Of a connection on which {@code content} comes again and again; closes it at its end. */
    Drain(SocketChannel channel, byte[] content) {
        super("drain");
        this.channel = channel;
        this.content = content;
        setDaemon(true);
        Outside.leaveOut(this);
    }

    @Override
    public void run() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(ROOM);
        try (channel) {
            for (int n = channel.read(buffer); n >= 0; n = channel.read(buffer.clear())) {
                if (n > 0 && buffer.get(0) != content[(int) (count % content.length)]) {
                    throw new IOException("not what was written: index=" + count + ", found=" + buffer.get(0));
                }
                count += n;
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    /** How many bytes have come, once the connection has ended. */
    long counted() throws IOException {
        try {
            join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before the end of the connection");
        }
        if (isAlive()) {
            throw new IOException("the connection has not ended");
        }
        if (failure != null) {
            throw failure;
        }
        return count;
    }
}
