package dev.buffers.bench.net;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections until the listener is closed, whatever fails meanwhile. Most likely no file descriptor is left: then clients wait in
 * the system's backlog, and after a pause the loop tries again.
 *
 * @param <C> a connection
 */
public final class AcceptLoop<C extends Closeable> implements Runnable {
    /** How long a server accepts nothing after a failure. */
    public static final long PAUSE_MILLIS = 100;

    private final Channel listener;
    private final Source<C> source;
    private final Target<C> target;
    private final ErrorLog log;

    /** Where connections come from. */
    public interface Source<C> {
        /** Waits for the next one. */
        C accept() throws IOException;
    }

    /** Where they go. */
    public interface Target<C> {
        /** Takes one over; the loop closes it when this throws. */
        void take(C connection) throws IOException;
    }

    public AcceptLoop(Channel listener, Source<C> source, Target<C> target, ErrorLog log) {
        this.listener = listener;
        this.source = source;
        this.target = target;
        this.log = log;
    }

    /**
     * To be called before a server accepts. The first channel that a JVM closes takes two descriptors for good. When there are none, that
     * JVM never closes a channel again.
     */
    public static void prepare() throws IOException {
        SocketChannel.open().close();
    }

    @Override
    public void run() {
        while (listener.isOpen()) {
            accept();
        }
    }

    private void accept() {
        C connection = null;
        try {
            connection = source.accept();
            target.take(connection);
        } catch (IOException | RuntimeException | Error e) {
            abandon(connection);
            if (listener.isOpen()) {
                log.refused(e);
                pause();
            }
        }
    }

    /** Closes what was accepted in vain. */
    public static void abandon(@Nullable Closeable connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (IOException | RuntimeException | Error e) {
                // nobody has it, and nobody is left to tell
            }
        }
    }

    /** Lets a short time pass before what has failed is tried again. */
    public static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
