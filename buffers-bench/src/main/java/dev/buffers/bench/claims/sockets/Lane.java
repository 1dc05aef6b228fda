package dev.buffers.bench.claims.sockets;

import dev.buffers.bench.jvm.VirtualThreads;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/** The ways to wait for bytes. */
enum Lane {
    /** Blocking channels, a thread for each connection. */
    BLOCKING {
        @Override
        EchoServer start(Supplier<EchoBuffers> buffers) throws IOException {
            return new BlockingEcho(Acceptor.blocking(), DAEMONS, buffers);
        }
    },
    /** A selector, whose thread does the work. */
    NIO {
        @Override
        EchoServer start(Supplier<EchoBuffers> buffers) throws IOException {
            return new SelectorEcho(null, buffers);
        }
    },
    /** A selector, whose thread hands the work to others. */
    NIO_THREADED {
        @Override
        EchoServer start(Supplier<EchoBuffers> buffers) throws IOException {
            return new SelectorEcho(workers(), buffers);
        }
    },
    /** Asynchronous channels; their group's only thread does the work. */
    ASYNC {
        @Override
        EchoServer start(Supplier<EchoBuffers> buffers) throws IOException {
            return new AsyncEcho(1, null, buffers);
        }
    },
    /**
     * Asynchronous channels; their group's only thread hands the work to others. What these write is left to the group's thread
     * again, since a group of a fixed size lets no other thread write at once.
     */
    ASYNC_THREADED {
        @Override
        EchoServer start(Supplier<EchoBuffers> buffers) throws IOException {
            return new AsyncEcho(1, workers(), buffers);
        }
    },
    /** Asynchronous channels; all of their group's threads do the work. */
    ASYNC_GROUP {
        @Override
        EchoServer start(Supplier<EchoBuffers> buffers) throws IOException {
            return new AsyncEcho(WORKERS, null, buffers);
        }
    },
    /** Asynchronous channels, a thread for each connection that waits for their futures. */
    ASYNC_FUTURE {
        @Override
        EchoServer start(Supplier<EchoBuffers> buffers) throws IOException {
            return new BlockingEcho(Acceptor.futures(), DAEMONS, buffers);
        }
    },
    /** Blocking channels, a virtual thread for each connection. */
    VIRTUAL {
        @Override
        EchoServer start(Supplier<EchoBuffers> buffers) throws IOException {
            return new BlockingEcho(Acceptor.blocking(), VirtualThreads.factory(), buffers);
        }

        @Override
        Optional<String> obstacle() {
            return VirtualThreads.obstacle();
        }
    };

    /** Threads that do not keep a JVM alive. */
    static final ThreadFactory DAEMONS = task -> {
        Thread thread = new Thread(task, "echo");
        thread.setDaemon(true);
        return thread;
    };

    private static final int WORKERS = 4;

    private static ExecutorService workers() {
        return Executors.newFixedThreadPool(WORKERS, DAEMONS);
    }

    static Lane named(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Starts a server on the loopback interface; {@code buffers} makes those of one connection. */
    abstract EchoServer start(Supplier<EchoBuffers> buffers) throws IOException;

    Optional<String> obstacle() {
        return Optional.empty();
    }

    /** As points call it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
