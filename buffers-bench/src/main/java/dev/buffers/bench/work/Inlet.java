package dev.buffers.bench.work;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where bytes are read from without end, by one thread and either through the stream or through the channel. */
interface Inlet extends Closeable {

    InputStream stream() throws IOException;

    ReadableByteChannel channel() throws IOException;

    /** Called after each {@link ReadLane#TOTAL} bytes that were read. */
    default void tookAll() throws IOException {}

    /** What the byte is that has so many before it. */
    byte at(long index);

    /** {@code /dev/zero}: the system does as little as it can. */
    final class DevZero implements Inlet {
        static final Path PATH = Path.of("/dev/zero");

        private final FileInputStream stream = new FileInputStream(PATH.toFile());

        DevZero() throws IOException {}

        @Override
        public InputStream stream() {
            return stream;
        }

        @Override
        public ReadableByteChannel channel() {
            return stream.getChannel();
        }

        @Override
        public byte at(long index) {
            return 0;
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }

    /** A file that is read from its beginning again when it has ended. */
    final class Reread implements Inlet {
        private final Path file = ScratchFile.create();
        private final FileInputStream stream = new FileInputStream(file.toFile());
        private long position;

        Reread() throws IOException {
            Files.write(file, Pattern.bytes(ScratchFile.BOUND));
        }

        @Override
        public InputStream stream() {
            return stream;
        }

        @Override
        public ReadableByteChannel channel() {
            return stream.getChannel();
        }

        @Override
        public void tookAll() throws IOException {
            position += ReadLane.TOTAL;
            if (position == ScratchFile.BOUND) {
                stream.getChannel().position(0);
                position = 0;
            }
        }

        @Override
        public byte at(long index) {
            return Pattern.at(index % ScratchFile.BOUND);
        }

        @Override
        public void close() throws IOException {
            stream.close();
            Files.delete(file);
        }
    }

    /** A connection over the loopback from a thread that writes without end. */
    final class Connection implements Inlet {
        private final ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        private @Nullable Closeable near;
        private @Nullable Feed feed;

        Connection() throws IOException {}

        @Override
        public InputStream stream() throws IOException {
            Socket socket = new Socket();
            near = socket;
            socket.connect(server.getLocalAddress());
            accept();
            return socket.getInputStream();
        }

        @Override
        public ReadableByteChannel channel() throws IOException {
            SocketChannel channel = SocketChannel.open(server.getLocalAddress());
            near = channel;
            accept();
            return channel;
        }

        private void accept() throws IOException {
            feed = new Feed(server.accept());
            feed.start();
        }

        @Override
        public byte at(long index) {
            return Pattern.at(index);
        }

        @Override
        public void close() throws IOException {
            if (near != null) {
                near.close();
            }
            if (feed != null) {
                feed.end();
            }
            server.close();
        }
    }
}
