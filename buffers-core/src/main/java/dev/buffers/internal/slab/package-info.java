/**
 * Slabs (regions cut into slots), slots and leases (Bonwick, USENIX 1994). Knows memory, and the pool only as {@code SlotOwner}; no
 * caches and no waiters.
 */
@NullMarked
package dev.buffers.internal.slab;

import org.jspecify.annotations.NullMarked;
