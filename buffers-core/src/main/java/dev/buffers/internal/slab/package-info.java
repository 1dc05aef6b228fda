/**
 * Slabs (regions cut into slots), slots and leases (Bonwick, USENIX 1994). Knows memory, the pool only as {@code SlotOwner}, and of
 * waiters that they may be given a slot; no caches.
 */
@NullMarked
package dev.buffers.internal.slab;

import org.jspecify.annotations.NullMarked;
