// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import dev.buffers.BufferPool;
import dev.buffers.PoolMXBean;
import dev.buffers.PoolStats;
import dev.buffers.internal.settings.Setting;
import dev.buffers.internal.settings.SettingKey;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * A pool's two beans in the platform's MBean server. The server registers one bean for each name and throws for a second one: that alone
 * keeps copies of this library in several class loaders apart.
 *
 * <p>Any thread. The server holds the beans, so the beans hold the pool weakly: a pool that is never closed can still be collected, and
 * then {@code MaintenanceThread} has them unregistered.
 */
public final class MBeans {
    private static final Map.Entry<String, Feature> NAME =
            feature("Name", "Name of the pool, which no other open pool has", BufferPool::name);

    /** All figures. */
    private static final Map<String, Feature> OWN = Map.ofEntries(
            NAME,
            feature(
                    "Policy",
                    "Name of the policy: which memory, and how it is cut",
                    pool -> pool.settings().policy().name()),
            feature(
                    "Settings",
                    "Every setting, one a line, with where it comes from",
                    pool -> pool.settings().toString()),
            figure("MaxBytes", "The cap, in bytes; pools that set no max share one", PoolStats::maxBytes),
            figure("ReservedBytes", "Bytes of regions: leased, cached, uncarved and lost", PoolStats::reservedBytes),
            figure("LeasedBytes", "Bytes of leased buffers, counted as whole slots", PoolStats::leasedBytes),
            figure("CachedBytes", "Bytes of all free slots, wherever they are cached", PoolStats::cachedBytes),
            figure("UncarvedBytes", "Bytes of regions that belong to no slot", PoolStats::uncarvedBytes),
            figure("LostBytes", "Bytes of slots never used again: lost or discarded", PoolStats::lostBytes),
            figure("DroppedBytes", "Bytes given up; they count until they are collected", PoolStats::droppedBytes),
            figure("Leases", "Buffers that are out on lease", PoolStats::leases),
            feature("LeasesBySize", "Buffers that are out on lease, by the bytes of a slot", MBeans::leasesBySize),
            figure("Regions", "Allocations that make up the reserved bytes", PoolStats::regions),
            figure("Slabs", "Regions that are cut into slots", PoolStats::slabs),
            figure("Waiters", "Threads and wake-ups that wait for room now", PoolStats::waiters),
            figure("Waits", "Waits for room of threads that have ended, served or not", PoolStats::waits),
            figure("WaitedNanos", "How long those waits took in all, in nanoseconds", PoolStats::waitedNanos),
            figure("Leaks", "Leases that were lost: dropped without a release", PoolStats::leaks),
            figure("TrimmedBytes", "Bytes given back because they were unused", PoolStats::trimmedBytes),
            figure("Collections", "Collections that the pool has asked the JVM for", PoolStats::collections),
            feature(
                    "Acquires",
                    "Acquires by where they found their memory; rejected: nowhere",
                    pool -> byName(pool.stats().acquiresByOutcome())),
            feature(
                    "Releases",
                    "Releases by what became of the memory; invalid: refused, the lease had ended",
                    pool -> byName(pool.stats().releasesByOutcome())),
            feature(
                    "LeakTracking",
                    "How much is kept of each lease: count, sample:<n>, all or older:<duration>; may be set",
                    pool -> pool.leaks().toString()),
            feature("trim", "Gives back all memory that is not leased; returns how many bytes", BufferPool::trim),
            feature("dump", "A table of all this for a person to read, with the oldest open leases", BufferPool::dump));

    private final String pool;

    /** No monitor guards it: the server takes its own locks, and its listeners are the user's code. */
    private final Queue<ObjectName> registered = new ConcurrentLinkedQueue<>();

    /** The beans of the pool with this name; nothing is registered yet. */
    public MBeans(String pool) {
        this.pool = pool;
    }

    /** The figures that the JVM gives for its buffers, in a bean with that name. */
    private static Map<String, Feature> standard(ObjectName name) {
        return Map.ofEntries(
                NAME,
                figure("Count", "Slots: buffers that are out on lease, and free ones", MBeans::slots),
                figure("TotalCapacity", "Bytes of all regions in use or kept for use", PoolStats::reservedBytes),
                figure(
                        "MemoryUsed",
                        "The same, with the regions that the garbage collector has not taken yet",
                        stats -> stats.reservedBytes() + stats.droppedBytes()),
                feature("ObjectName", "Name of this bean", shown -> name));
    }

    /** Registers both. Called once, for a pool that no other thread can close yet; if this throws, the pool closes the beans. */
    public void register(BufferPool shown) {
        WeakReference<BufferPool> weak = new WeakReference<>(shown);
        try {
            for (int copy = 1; registered.isEmpty(); copy++) {
                try {
                    ObjectName name = name("BufferPool", copy);
                    String text = "A pool of byte buffers, in the figures that the JVM gives for its buffers";
                    register(name, new Bean<>(BufferPoolMXBean.class, text, standard(name), weak));
                    text = "What a pool of byte buffers holds and has done";
                    register(name("Pool", copy), new Bean<>(PoolMXBean.class, text, OWN, weak));
                } catch (InstanceAlreadyExistsException e) {
                    close();
                }
            }
        } catch (JMException e) {
            throw new IllegalStateException("cannot be shown over JMX: pool=" + pool, e);
        } finally {
            Reference.reachabilityFence(shown); // a pool that is gone closes its beans
        }
    }

    private ObjectName name(String type, int copy) throws JMException {
        String name = pool.matches("[\\w-]+") ? pool : ObjectName.quote(pool);
        return new ObjectName("dev.buffers:type=" + type + ",name=" + name + (copy == 1 ? "" : ",copy=" + copy));
    }

    private void register(ObjectName name, Bean<?> bean) throws JMException {
        ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
        registered.add(name);
    }

    /** Unregisters both. Closing again does nothing. */
    public void close() {
        for (ObjectName name = registered.poll(); name != null; name = registered.poll()) {
            try {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
            } catch (JMException e) {
                // Other code registered or removed it first. No error of the server may prevent the close of a pool.
            }
        }
    }

    private static long slots(PoolStats stats) {
        return stats.leases()
                + stats.sizeClasses().stream()
                        .mapToLong(PoolStats.SizeClass::cached)
                        .sum();
    }

    private static Map<Integer, Long> leasesBySize(BufferPool pool) {
        return pool.stats().sizeClasses().stream()
                .collect(Collectors.toMap(PoolStats.SizeClass::size, PoolStats.SizeClass::leased));
    }

    private static Map<String, Long> byName(Map<? extends Enum<?>, Long> counts) {
        Map<String, Long> byName = new TreeMap<>();
        counts.forEach((outcome, count) -> byName.put(outcome.name().toLowerCase(Locale.ROOT), count));
        return byName;
    }

    /** An attribute or an operation of a bean: what the bean says of it, and its value. */
    private record Feature(String text, Function<BufferPool, Object> value) {}

    private static Map.Entry<String, Feature> feature(String name, String text, Function<BufferPool, Object> value) {
        return Map.entry(name, new Feature(text, value));
    }

    private static Map.Entry<String, Feature> figure(String name, String text, ToLongFunction<PoolStats> value) {
        return feature(name, text, pool -> value.applyAsLong(pool.stats()));
    }

    /** A bean that shows the features of a table through the interface {@code type}. */
    private static final class Bean<T> extends StandardMBean {
        private final String text;
        private final Map<String, Feature> features;

        Bean(Class<T> type, String text, Map<String, Feature> features, WeakReference<BufferPool> pool) {
            super(answering(type, features, pool), type, true);
            this.text = text;
            this.features = features;
        }

        private static <T> T answering(Class<T> type, Map<String, Feature> features, WeakReference<BufferPool> pool) {
            return type.cast(Proxy.newProxyInstance(
                    MBeans.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                        BufferPool present = pool.get();
                        if (present == null) {
                            throw new IllegalStateException("the pool has been garbage-collected");
                        }
                        String name = method.getName();
                        if (arguments != null) { // the one setter
                            present.leaks(Setting.read(SettingKey.LEAKS, "leaks", String.valueOf(arguments[0]), "JMX")
                                    .value());
                            return null;
                        }
                        return feature(features, name.startsWith("get") ? name.substring(3) : name)
                                .value()
                                .apply(present);
                    }));
        }

        private static Feature feature(Map<String, Feature> features, String name) {
            return Objects.requireNonNull(features.get(name), name);
        }

        @Override
        protected String getClassName(MBeanInfo info) {
            return getMBeanInterface().getName();
        }

        @Override
        protected String getDescription(MBeanInfo info) {
            return text;
        }

        @Override
        protected String getDescription(MBeanFeatureInfo info) {
            return feature(features, info.getName()).text();
        }
    }
}
