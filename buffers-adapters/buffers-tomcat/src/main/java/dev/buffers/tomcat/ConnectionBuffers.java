// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import dev.buffers.BufferPool;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one connection: each is a lease while bytes are in it, and nothing otherwise.
 *
 * <p><b>Invariant.</b> Memory reaches another connection only when no thread of this one can still touch it. It follows from four rules:
 *
 * <ol>
 *   <li>A thread touches a lease's memory only between {@code enter} and {@code exit} of the lease's direction. {@link #enterRead} covers
 *       the unread bytes and TLS's incoming record, {@link #enterWrite} the unsent bytes and the outgoing record.
 *   <li>A lease is taken out of its field under this object's monitor, while no other thread is inside its direction: because it is empty,
 *       because the connection is closed, or for a larger one.
 *   <li>Only the thread that took a lease out of its field ends it.
 *   <li>After {@link #close} no thread enters. The last one to leave a direction takes its leases.
 * </ol>
 *
 * <p>So a thread that closes the connection never waits for one that is reading or writing, and never ends its lease. Tomcat's code gets a
 * view of a lease only from inside: {@link #getReadBuffer} and {@link #getWriteBuffer} give {@linkplain #readPlaceholder placeholders}
 * without room, for which the channel uses the lease when it is inside.
 *
 * <table>
 *   <caption>Memory order</caption>
 *   <tr><th>field<th>written<th>read<th>ordered by
 *   <tr><td>{@code readers}, {@code writers}, {@code closed}<td>monitor<td>monitor<td>the monitor
 *   <tr><td>{@code unread}, {@code unsent}, and the channel's {@code netInBuffer}, {@code netOutBuffer}<td>monitor<td>monitor, or inside
 *     the direction<td>a lease that was there at {@code enter}: that monitor; one that came later: the reader put it there, or it sees
 *     null, and {@link #lendRead} and {@link #lendWrite} give it the present one under the monitor
 *   <tr><td>the memory, position and limit of a lease, {@code unreadDrains}, {@code unsentDrains}<td>inside the direction<td>inside; its
 *     fill level also under the monitor, for an answer that is only a hint while another thread is inside<td>{@code exit} of one thread
 *     before {@code enter} of the next; Tomcat lets one thread at a time read, and one write
 *   <tr><td>{@code placeholder}, {@code writeSize}<td>{@link #expand}<td>any<td>volatile; only sizes depend on it
 *   <tr><td>{@code lender}<td>inside the direction of reads<td>any<td>volatile; only the thread that wrote itself finds itself
 * </table>
 *
 * <p>The pool orders the rest: a holder's actions on a lease happen-before those of the next holder.
 */
final class ConnectionBuffers extends SocketBufferHandler {
    /** No memory at all, where Tomcat wants a buffer and nothing is in it. It has no room, so nothing can change it. */
    static final ByteBuffer NONE = ByteBuffer.allocate(0);

    /** Stands for the unsent bytes when Tomcat writes them. */
    static final ByteBuffer UNSENT = ByteBuffer.allocate(0);

    /** Each stands for the unread bytes when Tomcat reads, and has the capacity that Tomcat derives sizes from. Some sizes in all. */
    private static final Map<Integer, ByteBuffer> PLACEHOLDERS = new ConcurrentHashMap<>();

    private final BufferPool pool;
    private volatile ByteBuffer placeholder;
    private volatile int writeSize;
    private volatile @Nullable Thread lender;
    private @Nullable RecordBuffers records;

    private @Nullable PooledBuffer unread;
    private @Nullable PooledBuffer unsent;
    private int readers;
    private int writers;
    private boolean closed;
    private boolean unreadDrains;
    private boolean unsentDrains;

    ConnectionBuffers(BufferPool pool, int readSize, int writeSize) {
        super(0, 0, false);
        this.pool = pool;
        this.placeholder = readPlaceholder(readSize);
        this.writeSize = writeSize;
    }

    /** The buffers of TLS records, which enter and leave with these. Both methods are called under the monitor. */
    interface RecordBuffers {
        /** Takes the lease of the incoming record if it is empty or {@code closed}. */
        @Nullable PooledBuffer takeIncoming(boolean closed);

        /** The same of the outgoing record. */
        @Nullable PooledBuffer takeOutgoing(boolean closed);
    }

    void setRecords(RecordBuffers buffers) {
        records = buffers;
    }

    private static ByteBuffer readPlaceholder(int size) {
        return PLACEHOLDERS.computeIfAbsent(
                size, capacity -> ByteBuffer.allocate(capacity).limit(0));
    }

    /** Whether Tomcat has been given this in the place of the unread bytes. */
    boolean isReadPlaceholder(ByteBuffer buffer) {
        return buffer == placeholder || buffer.limit() == 0 && PLACEHOLDERS.get(buffer.capacity()) == buffer;
    }

    synchronized void enterRead() throws ClosedChannelException {
        checkOpen();
        readers++;
    }

    synchronized void enterWrite() throws ClosedChannelException {
        checkOpen();
        writers++;
    }

    private void checkOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    void exitRead() {
        PooledBuffer bytes = null;
        PooledBuffer record = null;
        synchronized (this) {
            if (--readers == 0) {
                bytes = takeUnread();
                record = records == null ? null : records.takeIncoming(closed);
            }
        }
        end(bytes);
        end(record);
    }

    void exitWrite() {
        PooledBuffer bytes = null;
        PooledBuffer record = null;
        synchronized (this) {
            if (--writers == 0) {
                bytes = takeUnsent();
                record = records == null ? null : records.takeOutgoing(closed);
            }
        }
        end(bytes);
        end(record);
    }

    /** Ends every lease that no thread is using now; those in use end when their thread exits. Closing again does nothing. */
    void close() {
        PooledBuffer in = null;
        PooledBuffer out = null;
        PooledBuffer recordIn = null;
        PooledBuffer recordOut = null;
        synchronized (this) {
            closed = true;
            if (readers == 0) {
                in = takeUnread();
                recordIn = records == null ? null : records.takeIncoming(true);
            }
            if (writers == 0) {
                out = takeUnsent();
                recordOut = records == null ? null : records.takeOutgoing(true);
            }
        }
        end(in);
        end(out);
        end(recordIn);
        end(recordOut);
    }

    private @Nullable PooledBuffer takeUnread() {
        if (!closed && unreadBytes() > 0) {
            return null;
        }
        PooledBuffer lease = unread;
        unread = null;
        return lease;
    }

    private @Nullable PooledBuffer takeUnsent() {
        if (!closed && unsentBytes() > 0) {
            return null;
        }
        PooledBuffer lease = unsent;
        unsent = null;
        return lease;
    }

    private static void end(@Nullable PooledBuffer lease) {
        if (lease != null) {
            lease.release();
        }
    }

    /** How many bytes have been read from the socket but not by Tomcat. */
    synchronized int unreadBytes() {
        return unread == null ? 0 : level(unread, unreadDrains);
    }

    private synchronized int unsentBytes() {
        return unsent == null ? 0 : level(unsent, unsentDrains);
    }

    private static int level(PooledBuffer lease, boolean drains) {
        ByteBuffer buffer = lease.buffer();
        return drains ? buffer.remaining() : buffer.position();
    }

    /**
     * A lease for this connection, whose exhausted pool is an I/O error of the connection.
     *
     * @throws IOException when the pool refuses, or has been closed
     */
    PooledBuffer acquire(int size) throws IOException {
        try {
            return pool.acquire(size);
        } catch (PoolExhaustedException | IllegalStateException e) {
            throw new IOException("no buffer for this connection: " + e.getMessage(), e);
        }
    }

    /** The read buffer to be filled; only inside reads. */
    ByteBuffer toFill() throws IOException {
        PooledBuffer lease = unread;
        if (lease == null) {
            lease = lendRead(acquire(placeholder.capacity()));
        }
        ByteBuffer buffer = lease.buffer();
        if (unreadDrains) {
            buffer.compact();
            unreadDrains = false;
        }
        return buffer;
    }

    private PooledBuffer lendRead(PooledBuffer fresh) {
        PooledBuffer present;
        synchronized (this) {
            present = unread;
            if (present == null) {
                unread = fresh;
                unreadDrains = false;
                return fresh;
            }
        }
        end(fresh);
        return present;
    }

    /** Moves unread bytes to where Tomcat wants them. Not for threads that are inside already: this method enters by itself. */
    int drain(ByteBuffer to) throws ClosedChannelException {
        enterRead();
        try {
            PooledBuffer lease = unread;
            if (lease == null) {
                return 0;
            }
            ByteBuffer from = lease.buffer();
            if (!unreadDrains) {
                from.flip();
                unreadDrains = true;
            }
            return move(from, to);
        } finally {
            exitRead();
        }
    }

    /** Appends as many bytes as there is room for to the unsent ones. This method enters by itself. */
    void append(ByteBuffer from) throws IOException {
        enterWrite();
        try {
            PooledBuffer lease = unsent;
            if (lease == null) {
                lease = lendWrite(acquire(writeSize));
            }
            ByteBuffer to = lease.buffer();
            if (unsentDrains) {
                to.compact();
                unsentDrains = false;
            }
            move(from, to);
        } finally {
            exitWrite();
        }
    }

    private PooledBuffer lendWrite(PooledBuffer fresh) {
        PooledBuffer present;
        synchronized (this) {
            present = unsent;
            if (present == null) {
                unsent = fresh;
                unsentDrains = false;
                return fresh;
            }
        }
        end(fresh);
        return present;
    }

    /** The unsent bytes, to be written; only inside writes. */
    ByteBuffer toSend() {
        PooledBuffer lease = unsent;
        if (lease == null) {
            return NONE;
        }
        ByteBuffer buffer = lease.buffer();
        if (!unsentDrains) {
            buffer.flip();
            unsentDrains = true;
        }
        return buffer;
    }

    private static int move(ByteBuffer from, ByteBuffer to) {
        int count = Math.min(from.remaining(), to.remaining());
        int limit = from.limit();
        from.limit(from.position() + count);
        to.put(from);
        from.limit(limit);
        return count;
    }

    /** While the current thread is inside reads, {@link #getReadBuffer} gives it the read buffer itself; null ends that. */
    void lendTo(@Nullable Thread thread) {
        lender = thread;
    }

    private boolean lends() {
        return lender == Thread.currentThread();
    }

    /** {@inheritDoc} A placeholder, except for the TLS code of the channel, which may ask for it inside. */
    @Override
    public ByteBuffer getReadBuffer() {
        if (!lends()) {
            return placeholder;
        }
        try {
            return toFill();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public ByteBuffer getWriteBuffer() {
        return UNSENT;
    }

    /** {@inheritDoc} Always, unless the TLS code asks: unread bytes are handed out by the channel, before it reads more. */
    @Override
    public boolean isReadBufferEmpty() {
        return !lends() || unreadBytes() == 0;
    }

    @Override
    public boolean isWriteBufferEmpty() {
        return unsentBytes() == 0;
    }

    @Override
    public synchronized boolean isWriteBufferWritable() {
        if (unsent == null) {
            return true;
        }
        ByteBuffer buffer = unsent.buffer();
        return unsentDrains ? !buffer.hasRemaining() : buffer.hasRemaining();
    }

    /**
     * {@inheritDoc} Does nothing on a closed connection, as Tomcat's handler for those.
     *
     * @throws UncheckedIOException when the pool refuses
     */
    @Override
    public void unReadReadBuffer(ByteBuffer returned) {
        try {
            enterRead();
        } catch (ClosedChannelException e) {
            return;
        }
        try {
            refill(returned, placeholder.capacity());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            exitRead();
        }
    }

    /**
     * {@inheritDoc} A lease that is there is replaced if it is for reads; for writes the next one will be larger.
     *
     * @throws UncheckedIOException when the pool refuses
     */
    @Override
    public void expand(int newSize) {
        if (newSize > placeholder.capacity()) {
            placeholder = readPlaceholder(newSize);
        }
        writeSize = Math.max(writeSize, newSize);
        if (lends()) { // it is inside
            replaceBy(newSize);
            return;
        }
        if (unreadBytes() == 0) {
            return;
        }
        try {
            enterRead();
        } catch (ClosedChannelException e) {
            return;
        }
        try {
            replaceBy(newSize);
        } finally {
            exitRead();
        }
    }

    private void replaceBy(int size) {
        PooledBuffer lease = unread;
        if (lease == null || lease.capacity() >= size) {
            return;
        }
        try {
            refill(NONE, size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts bytes before the unread ones, in another lease of at least that size. */
    private void refill(ByteBuffer first, int size) throws IOException {
        PooledBuffer old = unread;
        PooledBuffer lease = acquire(Math.max(size, first.remaining() + unreadBytes()));
        ByteBuffer buffer = lease.buffer().put(first);
        if (old != null) {
            ByteBuffer rest = old.buffer();
            buffer.put(unreadDrains ? rest : rest.flip());
        }
        boolean alone;
        synchronized (this) {
            alone = readers == 1;
            if (alone) {
                unread = lease;
                unreadDrains = false;
            }
        }
        end(alone ? old : lease);
        if (!alone) {
            throw new IOException("two threads read this connection at once");
        }
    }

    /** Does nothing: the object serves one connection. */
    @Override
    public void reset() {}

    @Override
    public void free() {
        close();
    }

    /** Does nothing, as the three others: the methods that fill and drain a buffer flip it. */
    @Override
    public void configureReadBufferForWrite() {}

    @Override
    public void configureReadBufferForRead() {}

    @Override
    public void configureWriteBufferForWrite() {}

    @Override
    public void configureWriteBufferForRead() {}
}
