/**
 * Pooled byte buffers: {@link dev.buffers.BufferPool} hands out leases ({@link dev.buffers.PooledBuffer}), and
 * {@link dev.buffers.ChannelBuffers} keeps what one connection needs between its readiness events.
 */
@NullMarked
package dev.buffers;

import org.jspecify.annotations.NullMarked;
