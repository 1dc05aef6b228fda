package dev.buffers.io;

import java.io.InterruptedIOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channel;
import java.nio.channels.InterruptedByTimeoutException;

/** What the JDK's own channels do with a buffer, as far as the streams here rely on it. */
final class JdkChannels {
    /**
     * The most bytes of an array that one read or write is given. For a heap buffer the JDK takes a direct buffer as large as what remains
     * in it, copies all of that, and keeps the direct buffer with the thread ({@code sun.nio.ch.IOUtil}, {@code sun.nio.ch.Util}, JDK 17 to
     * 25). Its socket streams limit theirs to this size too ({@code NioSocketImpl}).
     */
    static final int MOST_AT_ONCE = 128 << 10;

    private JdkChannels() {}

    /**
     * Whether a failed read or write may still be using its buffer. The JDK's channels no longer use it when the call ends, however it
     * ends. In any other channel, an I/O of another thread or of the kernel may continue when the call was cut short: closed or interrupted
     * from elsewhere, or out of time.
     */
    static boolean mayStillUse(Channel channel, Throwable failure) {
        boolean cutShort = failure instanceof AsynchronousCloseException
                || failure instanceof InterruptedByTimeoutException
                || failure instanceof InterruptedIOException;
        return cutShort && channel.getClass().getModule() != Object.class.getModule();
    }
}
