// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.PoolSettings;
import dev.buffers.internal.settings.SettingKey;
import dev.buffers.internal.text.ByteSize;
import java.lang.reflect.Method;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;

/**
 * What a burn does, all of it from its seed: successive seeds go through every combination of settings, every collector, and
 * platform and virtual threads. How the threads meet is not in it: a failure that hangs on that needs the seed more than once.
 */
public record BurnPlan(long seed, Combination settings, boolean virtual, String collector) {
    private static final int JAVA = Runtime.version().feature();
    private static final List<String> COLLECTORS = List.of("G1", "Parallel", "Z");
    private static final long USUAL_MAX = 8 << 20;

    /** A prime, so that it comes to every one of them, and neighbours are not alike. */
    private static final int STEP = 31;

    public static BurnPlan of(long seed) {
        List<Combination> all = Combinations.all();
        Combination settings = all.get(Math.floorMod(seed * STEP, all.size()));
        if (!settings.changes().containsKey(SettingKey.MAX)) {
            settings = settings.with(SettingKey.MAX, ByteSize.text(USUAL_MAX));
        }
        int round = (int) Math.floorDiv(seed, all.size());
        String collector = COLLECTORS.get(Math.floorMod(seed + round, COLLECTORS.size()));
        return new BurnPlan(seed, settings, JAVA >= 21 && Math.floorMod(seed / 3 + round, 2) == 1, collector);
    }

    /** One pool of that policy with the defaults, on platform threads. */
    public static BurnPlan on(Kind kind) {
        Combination settings = Combination.DEFAULTS
                .with(SettingKey.POLICY, kind.policy())
                .with(SettingKey.MAX, ByteSize.text(USUAL_MAX));
        return new BurnPlan(1, settings, false, "default");
    }

    /** The same with the collector that the JVM was started with. */
    public BurnPlan withCollector(String its) {
        return new BurnPlan(seed, settings, virtual, its);
    }

    SplittableRandom random(int worker) {
        return new SplittableRandom(seed * 31 + worker);
    }

    int workers() {
        int cores = Runtime.getRuntime().availableProcessors();
        return virtual ? 8 * cores : Math.max(4, 2 * cores);
    }

    /** After so many turns a worker goes on in another thread. */
    int turnsOfThread() {
        return virtual ? 100 : 30_000;
    }

    boolean guard() {
        return settings.value(SettingKey.GUARD);
    }

    /** Whether the memory of a lease that was lost or discarded stays readable. */
    boolean keepsRelics() {
        return !guard() && settings.value(SettingKey.FREE) == PoolSettings.Freeing.GC;
    }

    /** Whether the pool is closed while leases are out. A guard would report each of these. */
    boolean closesFirst() {
        return !guard() && seed % 2 == 0;
    }

    /** Whether every buffer must come zeroed. */
    boolean zeroed() {
        return switch (settings.value(SettingKey.ZERO)) {
            case NEVER -> false;
            case ACQUIRE -> true;
            case RELEASE -> !guard() && !settings.policy().equals(Kind.OWN);
        };
    }

    ThreadFactory threads() {
        if (virtual) {
            try {
                Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
                Method factory = Class.forName("java.lang.Thread$Builder").getMethod("factory");
                return (ThreadFactory) factory.invoke(builder);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError("no virtual threads: java.version=" + Runtime.version(), e);
            }
        }
        return work -> {
            Thread thread = new Thread(work, "burn");
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public String toString() {
        return "seed=" + seed + " java=" + JAVA + " collector=" + collector + " threads=" + workers()
                + (virtual ? " virtual" : " platform") + " settings=[" + settings + "]";
    }
}
