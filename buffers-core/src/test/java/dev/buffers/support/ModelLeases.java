// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.PooledBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.IdentityHashMap;
import java.util.Map;

/** The operations of a {@link ModelRun} on leases. Leases stand in registers, and stay there after their end, for misuse. */
final class ModelLeases {
    private final ModelWorld world;
    private final ReferenceModel model;
    private final PooledBuffer[] registers = new PooledBuffer[ModelOp.REGISTERS];
    private final Map<PooledBuffer, Held> known = new IdentityHashMap<>();
    private int reserved = -1;

    ModelLeases(ModelWorld world) {
        this.world = world;
        this.model = world.model;
    }

    /** A lease and its buffer, which are dropped together: a reference to the buffer would keep the memory. */
    private static final class Held {
        final ReferenceModel.Lease lease;
        private ByteBuffer buffer;

        Held(ReferenceModel.Lease lease, ByteBuffer buffer) {
            this.lease = lease;
            this.buffer = buffer;
        }
    }

    /** Whether a lease may be put there: no open one would be lost. */
    boolean isFree(int register) {
        PooledBuffer there = registers[register];
        return register != reserved && (there == null || !known.get(there).lease.open);
    }

    /** Keeps a register for a lease that comes later; -1 for none. */
    void reserve(int register) {
        reserved = register;
    }

    /** A lease that was just given out. */
    void put(int register, PooledBuffer object, ReferenceModel.Lease lease) {
        ByteBuffer buffer = object.buffer();
        Held before = known.put(object, new Held(lease, buffer));
        assertNull(before, "one lease object was given to two holders");
        registers[register] = object;
        ModelWorld.assertUnmarked(buffer);
        check(object);
    }

    /** The same of memory that was acquired just now. */
    void acquired(int register, PooledBuffer object, int size, boolean kept) {
        ByteBuffer buffer = object.buffer();
        world.checkCapacity(size, buffer.capacity(), kept);
        ReferenceModel.Tenancy tenancy = world.begin(buffer, 0, 0);
        put(register, object, new ReferenceModel.Lease(tenancy, 0, buffer.capacity(), 0, size));
    }

    /** The lease in a register, in the model: null when there is none. */
    private ReferenceModel.Lease in(int register) {
        PooledBuffer there = registers[register];
        return there == null ? null : known.get(there).lease;
    }

    private static void assertEnded(PooledBuffer object) {
        assertFalse(object.isOpen(), "open after its end");
    }

    /** Ends a lease in the model. */
    private boolean end(PooledBuffer object, boolean discards) {
        check(object);
        Held held = known.get(object);
        held.buffer = null;
        return model.end(held.lease, discards);
    }

    void retain(int register, int into) {
        ReferenceModel.Lease lease = in(register);
        PooledBuffer object = registers[register];
        if (lease == null || !isFree(into)) {
            return;
        } else if (lease.open) {
            put(into, object.retain(), model.retain(lease));
        } else {
            assertThrowsExactly(IllegalStateException.class, object::retain);
        }
    }

    void slice(int register, int into, int place, int length) {
        ReferenceModel.Lease lease = in(register);
        PooledBuffer object = registers[register];
        if (lease == null || !isFree(into)) {
            return;
        } else if (!lease.open) {
            assertThrowsExactly(IllegalStateException.class, () -> object.slice(0, 0));
            return;
        }
        int index = place % 7 == 0 ? place : place % (lease.capacity + 1);
        int count = place % 7 == 0 || length < 0 ? length : length % (lease.capacity - index + 1);
        if (count < 0 || (long) index + count > lease.capacity) {
            assertThrowsExactly(IndexOutOfBoundsException.class, () -> object.slice(index, count));
        } else {
            put(into, object.slice(index, count), model.slice(lease, index, count));
        }
    }

    void release(int register) {
        ReferenceModel.Lease lease = in(register);
        PooledBuffer object = registers[register];
        if (lease == null) {
            return;
        } else if (lease.open) {
            assertEquals(end(object, false), object.release(), "the memory went back");
            assertEnded(object);
        } else {
            assertThrowsExactly(IllegalStateException.class, object::release);
            model.invalid++;
        }
    }

    void close(int register) {
        ReferenceModel.Lease lease = in(register);
        if (lease == null) {
            return;
        } else if (lease.open) {
            end(registers[register], false);
        }
        registers[register].close();
        assertEnded(registers[register]);
    }

    void discard(int register) {
        ReferenceModel.Lease lease = in(register);
        PooledBuffer object = registers[register];
        if (lease == null) {
            return;
        } else if (lease.open) {
            end(object, true);
            object.discard();
            assertEnded(object);
        } else {
            assertThrowsExactly(IllegalStateException.class, object::discard);
            model.invalid++;
        }
    }

    void use(int register) {
        ReferenceModel.Lease lease = in(register);
        PooledBuffer object = registers[register];
        if (lease == null) {
            return;
        } else if (lease.open) {
            check(object);
            assertEquals(lease.capacity, object.capacity());
            assertTrue(object.toString().contains(world.pool.name()), object::toString);
        } else {
            assertFalse(object.isOpen());
            assertThrowsExactly(IllegalStateException.class, object::buffer);
            assertThrowsExactly(IllegalStateException.class, object::capacity);
            assertEquals("PooledBuffer[ended]", object.toString());
        }
    }

    void write(int register, int place, int length) {
        ReferenceModel.Lease lease = in(register);
        if (lease == null || !lease.open) {
            return;
        }
        int index = place % (lease.capacity + 1);
        byte[] bytes = world.stamped(Math.max(0, length) % (lease.capacity - index + 1));
        ByteBuffer buffer = registers[register].buffer();
        (index + bytes.length <= lease.limit ? buffer : buffer.duplicate().clear()).put(index, bytes);
        System.arraycopy(bytes, 0, lease.of.bytes, lease.offset + index, bytes.length);
    }

    void move(int register, int place, int length) {
        ReferenceModel.Lease lease = in(register);
        if (lease != null && lease.open) {
            lease.limit = Math.max(0, length) % (lease.capacity + 1);
            lease.position = place % (lease.limit + 1);
            registers[register]
                    .buffer()
                    .limit(lease.limit)
                    .position(lease.position)
                    .mark();
        }
    }

    void order(int register, boolean little) {
        ReferenceModel.Lease lease = in(register);
        if (lease != null && lease.open) {
            lease.order = little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
            registers[register].buffer().order(lease.order);
        }
    }

    /** An open lease's buffer has the bytes that its holder left. */
    private void check(PooledBuffer object) {
        Held held = known.get(object);
        ReferenceModel.Lease lease = held.lease;
        ByteBuffer buffer = object.buffer();
        assertTrue(object.isOpen());
        assertSame(held.buffer, buffer);
        assertEquals(
                lease.position + ".." + lease.limit + " of " + lease.capacity + ", " + lease.order,
                buffer.position() + ".." + buffer.limit() + " of " + buffer.capacity() + ", " + buffer.order());
        ByteBuffer expected = ByteBuffer.wrap(lease.of.bytes, lease.offset, lease.capacity);
        assertEquals(-1, expected.mismatch(buffer.duplicate().clear()), "somebody else has written into it, at");
    }

    void checkAll() {
        known.forEach((object, held) -> {
            if (held.lease.open) {
                check(object);
            }
        });
    }

    void releaseAll() {
        for (int register = 0; register < registers.length; register++) {
            if (in(register) != null && in(register).open) {
                release(register);
            }
        }
    }
}
