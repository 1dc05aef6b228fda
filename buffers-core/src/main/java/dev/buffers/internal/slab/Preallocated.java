package dev.buffers.internal.slab;

import dev.buffers.PoolSettings;
import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Region;

/**
 * Decides which regions stay when memory is given back: enough of them to hold {@code preallocate} bytes, the smallest first. Called under
 * the lock of {@link SlabStore}.
 */
public final class Preallocated {

    private Preallocated() {}

    /** How many bytes to keep; 0 with a policy that does not cut views, since nothing says which sizes to keep. */
    public static long bytes(PoolSettings settings) {
        return settings.policy().views() ? settings.preallocate() : 0;
    }

    /**
     * Whether {@code keep} bytes stay reserved without this region, in other regions that are no larger. Larger regions do not count, even
     * if they are in use now: one of them would then stay for ever in place of all the small regions that were dropped.
     */
    static boolean isCoveredWithout(
            Region region, long keep, long reserved, IntrusiveList<Slab> slabs, IntrusiveList<Region> uncut) {
        if (keep == 0 || reserved - region.bytes < keep) {
            return keep == 0;
        }
        long others = -region.bytes;
        for (IntrusiveList.Link<Slab> link = slabs.first(); link != null; link = link.next()) {
            Slab slab = link.it;
            boolean ends = slab.sizeClass == SizeClasses.OVERSIZE; // it ends with its lease, whatever must be kept
            others += ends || slab.region.bytes > region.bytes ? 0 : slab.region.bytes;
        }
        for (IntrusiveList.Link<Region> link = uncut.first(); link != null; link = link.next()) {
            others += link.it.bytes > region.bytes ? 0 : link.it.bytes;
        }
        return others >= keep;
    }
}
