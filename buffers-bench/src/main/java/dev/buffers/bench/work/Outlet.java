package dev.buffers.bench.work;

import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where the same bytes are written again and again, by one thread and either through the stream or through the channel. */
interface Outlet extends Closeable {

    OutputStream stream() throws IOException;

    WritableByteChannel channel() throws IOException;

    /** Called after each write of all the bytes. */
    void wrote() throws IOException;

    /** Ends writing, and throws when not everything has arrived. */
    void finish() throws IOException;

    /** {@code /dev/null}: the system does nothing with the bytes but count them. */
    final class DevNull implements Outlet {
        static final Path PATH = Path.of("/dev/null");
        private static final Path IO_COUNTS = Path.of("/proc/self/io");

        private final FileOutputStream stream = new FileOutputStream(PATH.toFile());
        private final int size;
        private final long before = writtenByProcess();
        private long written;

        DevNull(int size) throws IOException {
            this.size = size;
        }

        @Override
        public OutputStream stream() {
            return stream;
        }

        @Override
        public WritableByteChannel channel() {
            return stream.getChannel();
        }

        @Override
        public void wrote() {
            written += size;
        }

        @Override
        public void finish() throws IOException {
            long after = writtenByProcess();
            if (after >= 0 && after - before < written) {
                throw new IOException("bytes are missing: written=" + written + ", counted=" + (after - before));
            }
        }

        /** What the system has counted; -1 where it does not. */
        private static long writtenByProcess() throws IOException {
            if (!Files.isReadable(IO_COUNTS)) {
                return -1;
            }
            for (String line : Files.readAllLines(IO_COUNTS)) {
                if (line.startsWith("wchar: ")) {
                    return Long.parseLong(line.substring("wchar: ".length()));
                }
            }
            return -1;
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }

    /** A file that is written over from its beginning when it has grown large. */
    final class Rewritten implements Outlet {
        private final Path file = ScratchFile.create();
        private final FileOutputStream stream = new FileOutputStream(file.toFile());
        private final byte[] content;
        private long position;
        private long end;

        Rewritten(byte[] content) throws IOException {
            this.content = content;
        }

        @Override
        public OutputStream stream() {
            return stream;
        }

        @Override
        public WritableByteChannel channel() {
            return stream.getChannel();
        }

        @Override
        public void wrote() throws IOException {
            position += content.length;
            end = Math.max(end, position);
            if (position + content.length > ScratchFile.BOUND) {
                rewind();
            }
        }

        private void rewind() throws IOException {
            if (stream.getChannel().position() != position) {
                throw new IOException("bytes are missing: written=" + position + ", arrived="
                        + stream.getChannel().position());
            }
            stream.getChannel().position(0);
            position = 0;
        }

        @Override
        public void finish() throws IOException {
            rewind();
            byte[] found = Files.readAllBytes(file);
            if (found.length != end) {
                throw new IOException("not the file that was written: size=" + found.length + ", expected=" + end);
            }
            for (int at = 0; at < end; at += content.length) {
                if (!Arrays.equals(found, at, at + content.length, content, 0, content.length)) {
                    throw new IOException("not the file that was written: different from=" + at);
                }
            }
        }

        @Override
        public void close() throws IOException {
            stream.close();
            Files.delete(file);
        }
    }

    /** A connection over the loopback to a thread that reads and counts. */
    final class Connection implements Outlet {
        private final ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        private final byte[] content;
        private @Nullable Closeable near;
        private @Nullable Drain drain;
        private long written;

        Connection(byte[] content) throws IOException {
            this.content = content;
        }

        @Override
        public OutputStream stream() throws IOException {
            Socket socket = new Socket();
            near = socket;
            socket.connect(server.getLocalAddress());
            socket.setTcpNoDelay(true);
            accept();
            return socket.getOutputStream();
        }

        @Override
        public WritableByteChannel channel() throws IOException {
            SocketChannel channel = SocketChannel.open(server.getLocalAddress());
            near = channel;
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            accept();
            return channel;
        }

        private void accept() throws IOException {
            drain = new Drain(server.accept(), content);
            drain.start();
        }

        @Override
        public void wrote() {
            written += content.length;
        }

        @Override
        public void finish() throws IOException {
            if (near != null && drain != null) {
                near.close();
                long arrived = drain.counted();
                if (arrived != written) {
                    throw new IOException("bytes are missing: written=" + written + ", arrived=" + arrived);
                }
            }
        }

        @Override
        public void close() throws IOException {
            if (near != null) {
                near.close();
            }
            server.close();
        }
    }
}
