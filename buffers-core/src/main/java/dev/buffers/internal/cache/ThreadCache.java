package dev.buffers.internal.cache;

import dev.buffers.internal.slab.SizeClasses;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The magazines of one thread, or of one stripe, which virtual threads share.
 *
 * <p>The owner is {@link #thread}. A stripe has none: a thread claims one of its magazines at a time ({@link Magazine#tryClaim}).
 */
public final class ThreadCache {
    /*
     *   field    written by                          mode                      read by                          mode
     *   byClass  owner                               release                   owner                            plain
     *            of a stripe: the first thread       release                   virtual threads; Statistics,     acquire
     *            that needs it                                                 Revocation
     *   granted  owner; of a stripe, any thread: under the lock of ThreadCaches; read there, and by the owner
     */
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Magazine[].class);

    /** The owner, null for a stripe. A strong reference: a live thread is reachable anyway. */
    final @Nullable Thread thread;

    /** The first id that the thread returned; the table finds it by this id. */
    final long id;

    /** The magazines, by class plus one: the first element, for slabs without a class, is always null. */
    private final @Nullable Magazine[] byClass;

    /** Bytes that these magazines may hold, charged to the pool's budget for magazines. */
    public long granted;

    public ThreadCache(@Nullable Thread thread, int sizeClasses) {
        this.thread = thread;
        this.id = thread == null ? 0 : thread.getId();
        this.byClass = new Magazine[sizeClasses + 1];
    }

    /** Called by the owner for its own magazines: no other thread has written them. */
    public @Nullable Magazine get(int sizeClass) {
        return byClass[sizeClass - SizeClasses.OVERSIZE];
    }

    /** Called by any thread: the magazine of a stripe may have been written by another thread. */
    public @Nullable Magazine getAcquire(int sizeClass) {
        return (Magazine) ELEMENT.getAcquire(byClass, sizeClass - SizeClasses.OVERSIZE);
    }

    public void setRelease(int sizeClass, Magazine magazine) {
        ELEMENT.setRelease(byClass, sizeClass - SizeClasses.OVERSIZE, magazine);
    }
}
