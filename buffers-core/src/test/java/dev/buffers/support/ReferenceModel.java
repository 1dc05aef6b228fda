// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.PoolSettings;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The promises of a pool in the plainest form: which memory is out, its content, its holders, and all counts. The model knows nothing of
 * slots, magazines or regions, so that it cannot be wrong in the same way.
 */
public class ReferenceModel {
    private final List<Integer> classes;

    /** Tenancies that began, by any acquire; those beyond the largest class, and refusals. */
    long acquires;

    long oversize;
    long rejected;
    long recycled;
    long discarded;
    long invalid;

    /** Buffers that are out, and the bytes of those that are charged. */
    long leases;

    long leasedBytes;
    private final List<Integer> open = new ArrayList<>();

    public ReferenceModel(PoolSettings settings) {
        classes = classes(Math.min(settings.maxSize(), settings.regionSize()), settings.align());
    }

    /** Memory that is out: all its bytes, and how many leases hold it. */
    static final class Tenancy {
        final byte[] bytes;
        final boolean charged;
        private int holds = 1;
        private boolean discards;

        private Tenancy(byte[] bytes, boolean charged) {
            this.bytes = bytes;
            this.charged = charged;
        }
    }

    /** One lease: a part of a tenancy, and the state of its buffer. */
    public static final class Lease {
        final Tenancy of;
        final int offset;
        final int capacity;
        int position;
        int limit;
        ByteOrder order = ByteOrder.BIG_ENDIAN;
        boolean open = true;

        Lease(Tenancy of, int offset, int capacity, int position, int limit) {
            this.of = of;
            this.offset = offset;
            this.capacity = capacity;
            this.position = position;
            this.limit = limit;
        }
    }

    /** 128 to 1024 by doubling, then four steps to each doubling, and one for a TLS record; the last just holds {@code maxSize}. All are aligned. */
    private static List<Integer> classes(long maxSize, int align) {
        List<Integer> all = new ArrayList<>(List.of(128, 256, 512, 1024));
        for (int base = 1024; base < 1 << 26; base *= 2) {
            for (int step = 1; step <= 4; step++) {
                all.add(base + step * base / 4);
            }
        }
        all.add(16_896);
        all.sort(null);
        all.removeIf(it -> it >= maxSize);
        all.add((int) ((maxSize + 127) / 128 * 128));
        return all.stream()
                .map(size -> (size + align - 1) / align * align)
                .distinct()
                .toList();
    }

    int maxSize() {
        return classes.get(classes.size() - 1);
    }

    /** The capacity that a size gets, if it is no more than the largest class. */
    int capacityFor(int size) {
        return classes.stream().filter(it -> it >= size).findFirst().orElseThrow();
    }

    boolean isClass(int capacity) {
        return classes.contains(capacity);
    }

    /** Memory was acquired, with this in it. */
    Tenancy begin(byte[] bytes, boolean charged) {
        acquires++;
        leases++;
        leasedBytes += charged ? bytes.length : 0;
        open.add(bytes.length);
        return new Tenancy(bytes, charged);
    }

    Lease retain(Lease lease) {
        lease.of.holds++;
        return new Lease(lease.of, lease.offset, lease.capacity, lease.position, lease.limit);
    }

    Lease slice(Lease lease, int index, int length) {
        lease.of.holds++;
        return new Lease(lease.of, lease.offset + index, length, 0, length);
    }

    /** Says whether it was the last, so that the memory goes back or away. */
    public boolean end(Lease lease, boolean discards) {
        lease.open = false;
        lease.of.discards |= discards;
        return --lease.of.holds == 0 && ended(lease.of);
    }

    boolean ended(Tenancy tenancy) {
        recycled += tenancy.discards ? 0 : 1;
        discarded += tenancy.discards ? 1 : 0;
        leases--;
        leasedBytes -= tenancy.charged ? tenancy.bytes.length : 0;
        open.remove((Integer) tenancy.bytes.length);
        return true;
    }

    /** The capacities of all that is out, the smallest first. */
    List<Integer> capacities() {
        return open.stream().sorted().toList();
    }
}
