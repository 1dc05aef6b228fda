package dev.buffers;

import java.util.Collection;

/** Which regions make up what is to be kept: the smallest. Under the lock of {@link Slabs}. */
final class Kept {

    private Kept() {}

    /**
     * Whether {@code keep} bytes stay without this region, in others that are no larger. Larger ones do not count, though they may be in
     * use just now: one of them would then stay for good in the place of all the small ones that have gone.
     */
    static boolean isMadeUpWithout(
            Region region, long keep, long reserved, Collection<Slab> slabs, Collection<Region> uncut) {
        if (keep == 0 || reserved - region.bytes < keep) {
            return keep == 0;
        }
        long others = -region.bytes;
        for (Slab slab : slabs) {
            boolean ends = slab.sizeClass == SizeClasses.OVERSIZE; // with its lease, whatever is to be kept
            others += ends || slab.region.bytes > region.bytes ? 0 : slab.region.bytes;
        }
        for (Region one : uncut) {
            others += one.bytes > region.bytes ? 0 : one.bytes;
        }
        return others >= keep;
    }
}
