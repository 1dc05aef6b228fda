/**
 * Slabs (regions cut into slots), slots and leases (Bonwick, USENIX 1994). Knows memory; the pool only as {@link dev.buffers.internal.slab.SlotOwner}, and no thread.
 */
@NullMarked
package dev.buffers.internal.slab;

import org.jspecify.annotations.NullMarked;
