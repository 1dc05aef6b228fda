// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Shows whether a collection has most likely ended since a look at what it may have taken. So a look that takes long is made once for each
 * collection.
 *
 * <p>Any thread.
 */
public final class CollectionSign {
    /*
     *   next: a new object, held weakly --> the look --> set --a collection--> the object is gone: isSeen
     *
     * Made before the look, so a collection that ends during the look is seen. A collection that was under way when the object was made, or
     * one of ZGC's old generation, may miss it: what that takes is found without this sign, by the tick.
     *
     *   field   written by                   mode      read by     mode
     *   young   set, takeSeen: any thread    volatile  any thread  volatile
     */
    /** Refers to an object that no collection takes. */
    private static final WeakReference<Object> TAKEN = new WeakReference<>(CollectionSign.class);

    /** Null: a look is due. */
    private volatile @Nullable WeakReference<Object> young;

    /** What to {@link #set} after a look that is made now; null without heap: then the next look is due at once. */
    public static @Nullable WeakReference<Object> next() {
        try {
            return new WeakReference<>(new Object());
        } catch (OutOfMemoryError e) {
            return null;
        }
    }

    public void set(@Nullable WeakReference<Object> next) {
        young = next;
    }

    /** Whether a look is due: a collection has ended since the last one. */
    public boolean isSeen() {
        WeakReference<Object> last = young;
        return last == null || last.refersTo(null);
    }

    /** The same, but after it was true, false until {@link #set} is called: for those who ask another thread to look. */
    public boolean takeSeen() {
        boolean seen = isSeen();
        if (seen) {
            young = TAKEN;
        }
        return seen;
    }
}
