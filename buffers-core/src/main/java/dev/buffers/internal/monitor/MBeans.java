package dev.buffers.internal.monitor;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolMXBean;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;

/**
 * A pool's two beans in the platform's MBean server. The server registers one bean for each name and throws for a second one: that alone
 * keeps copies of this library in several class loaders apart.
 *
 * <p>Any thread. The server holds the beans, so the beans hold the pool weakly: a pool that is never closed can still be collected, and
 * then {@code MaintenanceThread} has them unregistered.
 */
public final class MBeans {
    private static final String DOMAIN = "dev.buffers:";

    private final String pool;
    private @Nullable ObjectName standard;
    private @Nullable ObjectName own;
    private boolean closed;

    /** The beans of the pool with this name; nothing is registered yet. */
    public MBeans(String pool) {
        this.pool = pool;
    }

    /** Registers both, unless they are closed already. */
    public synchronized void register(BufferPool shown) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        WeakReference<BufferPool> weak = new WeakReference<>(shown);
        try {
            for (int copy = 1; own == null && !closed; copy++) {
                try {
                    ObjectName name = name("BufferPool", copy);
                    server.registerMBean(
                            new Described<>(new Standard(weak, name), BufferPoolMXBean.class, BeanTexts.STANDARD),
                            name);
                    standard = name;
                    name = name("Pool", copy);
                    server.registerMBean(new Described<>(new Own(weak), PoolMXBean.class, BeanTexts.OWN), name);
                    own = name;
                } catch (InstanceAlreadyExistsException e) {
                    unregister(server);
                }
            }
        } catch (JMException e) {
            unregister(server);
            throw new IllegalStateException("cannot be shown over JMX: pool=" + pool, e);
        }
    }

    private ObjectName name(String type, int copy) throws JMException {
        String name = pool.matches("[\\w-]+") ? pool : ObjectName.quote(pool);
        return new ObjectName(DOMAIN + "type=" + type + ",name=" + name + (copy == 1 ? "" : ",copy=" + copy));
    }

    /** Unregisters both. Closing again does nothing. */
    public synchronized void close() {
        closed = true;
        unregister(ManagementFactory.getPlatformMBeanServer());
    }

    private void unregister(MBeanServer server) {
        standard = unregistered(server, standard);
        own = unregistered(server, own);
    }

    private static @Nullable ObjectName unregistered(MBeanServer server, @Nullable ObjectName name) {
        try {
            if (name != null) {
                server.unregisterMBean(name);
            }
        } catch (JMException e) {
            // Other code was quicker. No error of the server may prevent the close of a pool.
        }
        return null;
    }

    private static BufferPool present(WeakReference<BufferPool> weak) {
        BufferPool pool = weak.get();
        if (pool == null) {
            throw new IllegalStateException("the pool is no more");
        }
        return pool;
    }

    /** A bean with a text for itself and for each attribute and operation. */
    private static final class Described<T> extends StandardMBean {
        private final Map<String, String> texts;

        Described(T bean, Class<T> type, Map<String, String> texts) {
            super(bean, type, true);
            this.texts = texts;
        }

        @Override
        protected String getDescription(MBeanInfo info) {
            return text(BeanTexts.BEAN, super.getDescription(info));
        }

        /** Of an attribute or an operation. */
        @Override
        protected String getDescription(MBeanFeatureInfo info) {
            return text(info.getName(), super.getDescription(info));
        }

        private String text(String name, String otherwise) {
            return texts.getOrDefault(name, otherwise);
        }
    }

    /** The figures that the JVM gives of its own buffers, for a pool. */
    private static final class Standard implements BufferPoolMXBean {
        private final WeakReference<BufferPool> pool;
        private final ObjectName name;

        Standard(WeakReference<BufferPool> pool, ObjectName name) {
            this.pool = pool;
            this.name = name;
        }

        @Override
        public String getName() {
            return present(pool).name();
        }

        /** Leased buffers and free slots. */
        @Override
        public long getCount() {
            PoolStats stats = present(pool).stats();
            return stats.leases()
                    + stats.sizeClasses().stream()
                            .mapToLong(PoolStats.SizeClass::cached)
                            .sum();
        }

        @Override
        public long getTotalCapacity() {
            return present(pool).stats().reservedBytes();
        }

        @Override
        public long getMemoryUsed() {
            PoolStats stats = present(pool).stats();
            return stats.reservedBytes() + stats.droppedBytes();
        }

        @Override
        public ObjectName getObjectName() {
            return name;
        }
    }

    /** All other figures. */
    private static final class Own implements PoolMXBean {
        private final WeakReference<BufferPool> pool;

        Own(WeakReference<BufferPool> pool) {
            this.pool = pool;
        }

        private long figure(ToLongFunction<PoolStats> of) {
            return of.applyAsLong(present(pool).stats());
        }

        @Override
        public String getName() {
            return present(pool).name();
        }

        @Override
        public String getPolicy() {
            return present(pool).settings().policy().name();
        }

        @Override
        public String getSettings() {
            return present(pool).settings().toString();
        }

        @Override
        public long getMaxBytes() {
            return figure(PoolStats::maxBytes);
        }

        @Override
        public long getReservedBytes() {
            return figure(PoolStats::reservedBytes);
        }

        @Override
        public long getLeasedBytes() {
            return figure(PoolStats::leasedBytes);
        }

        @Override
        public long getCachedBytes() {
            return figure(PoolStats::cachedBytes);
        }

        @Override
        public long getUncarvedBytes() {
            return figure(PoolStats::uncarvedBytes);
        }

        @Override
        public long getLostBytes() {
            return figure(PoolStats::lostBytes);
        }

        @Override
        public long getDroppedBytes() {
            return figure(PoolStats::droppedBytes);
        }

        @Override
        public long getLeases() {
            return figure(PoolStats::leases);
        }

        @Override
        public Map<Integer, Long> getLeasesBySize() {
            return present(pool).stats().sizeClasses().stream()
                    .collect(Collectors.toMap(PoolStats.SizeClass::size, PoolStats.SizeClass::leased));
        }

        @Override
        public long getRegions() {
            return figure(PoolStats::regions);
        }

        @Override
        public long getSlabs() {
            return figure(PoolStats::slabs);
        }

        @Override
        public long getWaiters() {
            return figure(PoolStats::waiters);
        }

        @Override
        public long getWaits() {
            return figure(PoolStats::waits);
        }

        @Override
        public long getWaitedNanos() {
            return figure(PoolStats::waitedNanos);
        }

        @Override
        public long getLeaks() {
            return figure(PoolStats::leaks);
        }

        @Override
        public long getTrimmedBytes() {
            return figure(PoolStats::trimmedBytes);
        }

        @Override
        public Map<String, Long> getAcquires() {
            return byName(AcquireOutcome.values(), present(pool).stats()::acquires);
        }

        @Override
        public Map<String, Long> getReleases() {
            return byName(ReleaseOutcome.values(), present(pool).stats()::releases);
        }

        private static <E extends Enum<E>> Map<String, Long> byName(E[] outcomes, Function<E, Long> count) {
            return Arrays.stream(outcomes)
                    .collect(Collectors.toMap(
                            outcome -> outcome.name().toLowerCase(Locale.ROOT), count, Long::sum, TreeMap::new));
        }

        @Override
        public long trim() {
            return present(pool).trim();
        }

        @Override
        public String dump() {
            return present(pool).dump();
        }
    }
}
