package example;

// tag::nio-tls
import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.io.BufferChain;
import dev.buffers.tlschannel.TlsChannelBuffers;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import tlschannel.NeedsReadException;
import tlschannel.NeedsWriteException;
import tlschannel.ServerTlsChannel;
import tlschannel.TlsChannel;

/** One connection of a selector loop: an echo. */
final class TlsConnection implements AutoCloseable {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final TlsChannel tls;
    private final ChannelBuffers buffers;
    private final BufferChain unsent = new BufferChain();

    TlsConnection(SocketChannel socket, SSLContext context, BufferPool pool) {
        tls = TlsChannelBuffers.use(ServerTlsChannel.newBuilder(socket, context), pool)
                .build();
        buffers = pool.channel();
    }

    /** Called when the socket is ready. Returns what to wait for, or 0 when the client has said that it ends. */
    int echo() throws IOException {
        try {
            while (true) {
                unsent.writeTo(tls);
                tls.write(NOTHING); // the encrypted bytes that the socket has not taken
                if (buffers.readFrom(tls) < 0) {
                    if (!tls.shutdownReceived()) {
                        throw new EOFException("the client has gone without saying so");
                    }
                    return 0;
                }
                unsent.add(buffers.handOffInput());
            }
        } catch (NeedsReadException e) {
            buffers.idle(); // until the client sends more, the connection holds no memory
            return SelectionKey.OP_READ;
        } catch (NeedsWriteException e) {
            return SelectionKey.OP_WRITE;
        }
    }

    @Override
    public void close() throws IOException {
        try (tls; buffers) { // and says to the client that this is the end
            unsent.close();
        }
    }
}
// end::nio-tls
