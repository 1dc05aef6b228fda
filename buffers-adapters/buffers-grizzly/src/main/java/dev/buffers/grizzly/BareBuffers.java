package dev.buffers.grizzly;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The leases of {@code ByteBuffer}s that are out with nothing around them, found again by the buffer's identity. Any thread.
 *
 * <p>What is out is a duplicate, which nothing here holds on to: when it is dropped its lease is let go too, and the pool counts it as lost.
 */
final class BareBuffers {
    private final Map<Key, SharedLease> leases = new ConcurrentHashMap<>();
    private final ReferenceQueue<ByteBuffer> dropped = new ReferenceQueue<>();

    ByteBuffer lend(SharedLease lease) {
        forgetDropped();
        ByteBuffer view = lease.memory();
        ByteBuffer bare = view.duplicate();
        leases.put(new Key(bare, dropped), lease);
        return bare;
    }

    /** The lease of {@code bare}, once; null of a buffer that is not out. */
    @Nullable SharedLease takeBack(ByteBuffer bare) {
        forgetDropped();
        return leases.remove(new Key(bare, null));
    }

    private void forgetDropped() {
        for (Reference<?> key = dropped.poll(); key != null; key = dropped.poll()) {
            leases.remove(key);
        }
    }

    /** Equal to another of the same buffer, and once that is gone to itself alone. */
    private static final class Key extends WeakReference<ByteBuffer> {
        private final int hash;

        Key(ByteBuffer buffer, @Nullable ReferenceQueue<ByteBuffer> queue) {
            super(buffer, queue);
            this.hash = System.identityHashCode(buffer);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            ByteBuffer mine = get();
            return mine != null && other instanceof Key key && key.get() == mine;
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
