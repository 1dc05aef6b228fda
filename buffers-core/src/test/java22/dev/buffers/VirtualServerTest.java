package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.io.PooledInputStream;
import dev.buffers.io.PooledOutputStream;
import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A blocking server on virtual threads, as docs/frameworks.md shows it. */
class VirtualServerTest {
    @BeforeEach
    void room() {
        DirectRoom.make();
    }

    // tag::virtual
    static void serve(ServerSocketChannel listener, BufferPool pool) throws InterruptedException {
        while (listener.isOpen()) {
            try {
                SocketChannel socket = listener.accept();
                Thread.ofVirtual().start(() -> echo(socket, pool));
            } catch (IOException | OutOfMemoryError e) {
                Thread.sleep(100); // most likely no file descriptor is left: others wait in the backlog
            }
        }
    }

    static void echo(SocketChannel socket, BufferPool pool) {
        try (socket;
                PooledInputStream in = PooledInputStream.from(socket, pool);
                PooledOutputStream out = PooledOutputStream.to(socket, pool)) {
            for (int b = in.read(); b >= 0; b = in.read()) {
                out.write(b);
                if (in.available() == 0) {
                    out.flush(); // and holds no buffer for output while it waits for more
                }
            }
        } catch (IOException | PoolExhaustedException e) {
            // the client has gone, or there is no room for it: what it held is given back
        }
    }
    // end::virtual

    @Test
    void aBlockingServerHoldsOneBufferForWhoIsSilent() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (BufferPool pool = BufferPool.create("virtual")) {
            ServerSocketChannel listener = ServerSocketChannel.open().bind(any);
            CompletableFuture<Void> server = CompletableFuture.runAsync(
                    () -> {
                        try {
                            serve(listener, pool);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    PlainServersTest::start);
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            try (SocketChannel silent = SocketChannel.open(address)) {
                assertArrayEquals(PlainServersTest.message(), PlainServersTest.echoed(address));
                Eventually.holds("one read waits", () -> pool.stats().leases() == 1);
                assertTrue(silent.isConnected());
            }
            Eventually.holds("all is given back", () -> pool.stats().leases() == 0);
            listener.close();
            server.get(10, TimeUnit.SECONDS);
            Conservation.check(pool);
        }
    }
}
