package dev.buffers.bench.work;

import java.nio.ByteBuffer;

/** The kinds of memory that are compared. A fork uses one of them, so that every call site sees one class. */
public enum BufferKind {
    /** A plain array; its buffer only wraps it, for whoever checks what it holds. */
    byteArray {
        @Override
        public HeldBuffer hold(int size) {
            return HeldBuffer.of(ByteBuffer.wrap(new byte[size]));
        }
    },
    /** {@code ByteBuffer.allocate}. */
    heap {
        @Override
        public HeldBuffer hold(int size) {
            return HeldBuffer.of(ByteBuffer.allocate(size));
        }
    },
    /** {@code ByteBuffer.allocateDirect}. */
    direct {
        @Override
        public HeldBuffer hold(int size) {
            return HeldBuffer.of(ByteBuffer.allocateDirect(size));
        }
    },
    /** A lease of this library's, cut from a large array. */
    heapView {
        @Override
        public HeldBuffer hold(int size) {
            return HeldBuffer.leased("heap-view", size);
        }
    },
    /** A lease of this library's, cut from a large direct buffer. */
    directView {
        @Override
        public HeldBuffer hold(int size) {
            return HeldBuffer.leased("direct-view", size);
        }
    };

    /** A buffer of this kind: position 0, limit {@code size}. */
    public abstract HeldBuffer hold(int size);
}
