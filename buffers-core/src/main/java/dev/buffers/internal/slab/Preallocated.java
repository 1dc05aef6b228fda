package dev.buffers.internal.slab;

import dev.buffers.PoolSettings;
import dev.buffers.internal.failsafe.IntrusiveList;
import dev.buffers.internal.memory.Region;

/** Which regions make up what is to be kept: the smallest. Under the lock of {@link SlabStore}. */
public final class Preallocated {

    private Preallocated() {}

    /** How many bytes to keep: none with a policy that does not cut views, since it could not know which sizes to keep. */
    public static long bytes(PoolSettings settings) {
        return settings.policy().views() ? settings.preallocate() : 0;
    }

    /**
     * Whether {@code keep} bytes stay without this region, in others that are no larger. Larger ones do not count, though they may be in
     * use just now: one of them would then stay for good in the place of all the small ones that have gone.
     */
    static boolean isCoveredWithout(
            Region region, long keep, long reserved, IntrusiveList<Slab> slabs, IntrusiveList<Region> uncut) {
        if (keep == 0 || reserved - region.bytes < keep) {
            return keep == 0;
        }
        long others = -region.bytes;
        for (IntrusiveList.Link<Slab> link = slabs.first(); link != null; link = link.next()) {
            Slab slab = link.it;
            boolean ends = slab.sizeClass == SizeClasses.OVERSIZE; // with its lease, whatever is to be kept
            others += ends || slab.region.bytes > region.bytes ? 0 : slab.region.bytes;
        }
        for (IntrusiveList.Link<Region> link = uncut.first(); link != null; link = link.next()) {
            others += link.it.bytes > region.bytes ? 0 : link.it.bytes;
        }
        return others >= keep;
    }
}
