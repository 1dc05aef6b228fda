package example;

// tag::mina
import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.service.IoHandlerAdapter;
import org.apache.mina.core.session.AttributeKey;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.transport.socket.nio.NioSocketAcceptor;

final class MinaExample {
    /** Sends everything back, in pooled memory: a lease for each answer, until this is written or its session has ended. */
    private static final class Echo extends IoHandlerAdapter {
        private static final AttributeKey UNSENT = new AttributeKey(Echo.class, "unsent");

        private final BufferPool pool;

        Echo(BufferPool pool) {
            this.pool = pool;
        }

        @Override
        public void sessionCreated(IoSession session) {
            session.setAttribute(UNSENT, ConcurrentHashMap.<PooledBuffer>newKeySet());
        }

        @Override
        public void messageReceived(IoSession session, Object message) {
            IoBuffer request = (IoBuffer) message;
            PooledBuffer lease = pool.acquire(request.remaining());
            lease.buffer().put(request.buf()).flip();
            write(session, lease);
        }

        private static void write(IoSession session, PooledBuffer lease) {
            Set<PooledBuffer> unsent = unsent(session);
            unsent.add(lease);
            session.write(IoBuffer.wrap(lease.buffer())).addListener(written -> {
                unsent.remove(lease);
                lease.close();
            });
        }

        /** MINA does not report a write that failed halfway. */
        @Override
        public void sessionClosed(IoSession session) {
            unsent(session).forEach(PooledBuffer::close);
        }

        @Override
        public void exceptionCaught(IoSession session, Throwable cause) {
            session.closeNow(); // no room in the pool, or the client has gone
        }

        @SuppressWarnings("unchecked") // what sessionCreated has set
        private static Set<PooledBuffer> unsent(IoSession session) {
            return (Set<PooledBuffer>) session.getAttribute(UNSENT);
        }
    }

    public static void main(String[] args) throws IOException {
        BufferPool pool = BufferPool.create();
        NioSocketAcceptor server = new NioSocketAcceptor();
        server.setHandler(new Echo(pool));
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

        Random random = new Random(1);
        int echoed = 0;
        var address = server.getLocalAddress();
        try (Socket client = new Socket(address.getAddress(), address.getPort())) {
            for (int i = 0; i < 100; i++) {
                byte[] message = new byte[1 + random.nextInt(i % 5 == 0 ? 50_000 : 300)];
                random.nextBytes(message);
                client.getOutputStream().write(message);
                byte[] answer = client.getInputStream().readNBytes(message.length);
                echoed += Arrays.equals(message, answer) ? 1 : 0;
            }
        }
        server.dispose(true);
        var stats = pool.stats();
        pool.close(); // after the server
        System.out.println(echoed + " messages came back: " + stats.acquiresByOutcome());
        if (echoed != 100 || stats.leases() != 0 || stats.reservedBytes() == 0) {
            throw new IllegalStateException("echoed=" + echoed + ", " + stats);
        }
    }
}
// end::mina
