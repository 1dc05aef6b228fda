package dev.buffers.bench.work;

import dev.buffers.bench.duet.Outside;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The thread at the far end of a connection that is read: writes the pattern until nobody reads any more. */
final class Feed extends Thread {
    private static final int PERIODS = 1024;
    private static final long PATIENCE_MILLIS = 10_000;

    private final SocketChannel channel;

    /** Of a connection, which it closes at the end. */
    Feed(SocketChannel channel) {
        super("feed");
        this.channel = channel;
        setDaemon(true);
        Outside.leaveOut(this);
    }

    @Override
    public void run() {
        int size = PERIODS * Pattern.PERIOD;
        ByteBuffer buffer = ByteBuffer.allocateDirect(size).put(0, Pattern.bytes(size));
        try (channel) {
            while (channel.isOpen()) {
                channel.write(buffer.hasRemaining() ? buffer : buffer.clear());
            }
        } catch (IOException e) {
            // nobody reads any more: that is how it ends
        }
    }

    /** Ends it and waits until it has. */
    void end() throws IOException {
        channel.close();
        try {
            join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before the feed's end");
        }
        if (isAlive()) {
            throw new IOException("the feed has not ended");
        }
    }
}
