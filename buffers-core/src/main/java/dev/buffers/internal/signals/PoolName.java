// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The name of an open pool, which no other open pool has. Any thread. */
public final class PoolName {
    private static final Map<String, PoolName> OPEN = new ConcurrentHashMap<>();

    private final String text;

    private PoolName(String text) {
        this.text = text;
    }

    /** That name; while another pool has it, that name with the first free number. */
    public static PoolName of(String wanted) {
        PoolName name = new PoolName(wanted);
        for (int i = 2; OPEN.putIfAbsent(name.text, name) != null; i++) {
            name = new PoolName(wanted + "-" + i);
        }
        return name;
    }

    /** The names of all open pools, as they are now. */
    public static Set<String> open() {
        return Set.copyOf(OPEN.keySet());
    }

    /** From now on another pool may have the name. Does nothing when this was called before. */
    public void free() {
        OPEN.remove(text, this);
    }

    @Override
    public String toString() {
        return text;
    }
}
