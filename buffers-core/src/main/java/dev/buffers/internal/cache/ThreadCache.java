package dev.buffers.internal.cache;

import dev.buffers.internal.slab.SizeClasses;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The magazines of one thread, or of one stripe that virtual threads claim for the length of one take or give.
 *
 * <p>Owned by {@link #thread}; a stripe by whoever has won {@link #tryClaim}.
 */
public final class ThreadCache {
    /*
     *   field    written by         mode                      read by                     mode
     *   byClass  owner              release                   owner                       plain
     *            of a stripe: who   release                   who has claimed it, who     acquire
     *            needs it first                               adds up, for any thread
     *   claim    claimant           compareAndSet / release
     *   granted  owner; of a stripe, the same: under the lock of ThreadCaches; read there, and by the owner
     *
     * Nothing is allocated, no class is loaded and nothing can park between tryClaim and unclaim, since a virtual thread
     * may be unmounted at any such point and its stripe would be blocked.
     */
    private static final VarHandle CLAIM;
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Magazine[].class);

    static {
        try {
            CLAIM = MethodHandles.lookup().findVarHandle(ThreadCache.class, "claim", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The owner, null for a stripe. Strong: a live thread is reachable anyway. */
    final @Nullable Thread thread;

    /** What the owner said first, by which it is found. */
    final long id;

    /** By class, one further on: the first, for slabs without a class, is always null. */
    private final @Nullable Magazine[] byClass;

    /** Bytes that these magazines may hold, charged to the pool's budget for magazines. */
    public long granted;

    @SuppressWarnings("unused") // through CLAIM
    private int claim;

    public ThreadCache(@Nullable Thread thread, int sizeClasses) {
        this.thread = thread;
        this.id = thread == null ? 0 : thread.getId();
        this.byClass = new Magazine[sizeClasses + 1];
    }

    /** By the owner, of its own: nobody else has put it there. */
    public @Nullable Magazine get(int sizeClass) {
        return byClass[sizeClass - SizeClasses.OVERSIZE];
    }

    /** By anyone: of a stripe another thread may have put it there, claimed or not. */
    public @Nullable Magazine getAcquire(int sizeClass) {
        return (Magazine) ELEMENT.getAcquire(byClass, sizeClass - SizeClasses.OVERSIZE);
    }

    public void setRelease(int sizeClass, Magazine magazine) {
        ELEMENT.setRelease(byClass, sizeClass - SizeClasses.OVERSIZE, magazine);
    }

    public boolean tryClaim() {
        return (int) CLAIM.getOpaque(this) == 0 && CLAIM.compareAndSet(this, 0, 1);
    }

    public void unclaim() {
        CLAIM.setRelease(this, 0);
    }
}
