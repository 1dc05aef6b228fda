// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PoolMXBean;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import dev.buffers.support.Refusal;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.JMX;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** What a pool shows over JMX, under which names, and for how long. */
class MBeansTest {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private static BufferPool.Builder shown(String name) {
        return BufferPool.builder(name).policy("heap-view").max(8 << 20).jmx(true);
    }

    private static Set<String> names(String pool) throws Exception {
        return SERVER.queryNames(new ObjectName("dev.buffers:name=" + pool + ",*"), null).stream()
                .map(ObjectName::getCanonicalName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> pair(String pool, String copy) {
        return new TreeSet<>(Set.of(
                "dev.buffers:" + copy + "name=" + pool + ",type=BufferPool",
                "dev.buffers:" + copy + "name=" + pool + ",type=Pool"));
    }

    private static PoolMXBean own(String pool) throws Exception {
        return JMX.newMXBeanProxy(SERVER, new ObjectName("dev.buffers:type=Pool,name=" + pool), PoolMXBean.class);
    }

    @Test
    void poolIsNotRegisteredByDefault() throws Exception {
        try (BufferPool pool = BufferPool.builder("unshown").max(1 << 20).build()) {
            assertFalse(pool.settings().jmx());
            assertEquals(Set.of(), names("unshown"));
        }
    }

    @Test
    void everyFigureIsThatOfThePool() throws Exception {
        BufferPool.Builder builder = shown("figures").collect(PoolSettings.Collecting.OFF); // so that no figure moves
        try (BufferPool pool = builder.build()) {
            PooledBuffer lease = pool.acquire(4096);
            assertThrows(PoolExhaustedException.class, () -> pool.acquire(8 << 20, Duration.ofMillis(1)));
            pool.acquire(100).release();
            PoolStats stats = pool.stats();
            PoolMXBean bean = own("figures");
            assertEquals("figures", bean.getName());
            assertEquals("heap-view", bean.getPolicy());
            assertEquals(pool.settings().toString(), bean.getSettings());
            for (Method figure : PoolStats.class.getMethods()) {
                if (figure.getReturnType() == long.class && figure.getParameterCount() == 0) {
                    String name = figure.getName();
                    String attribute = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
                    assertEquals(
                            figure.invoke(stats),
                            PoolMXBean.class.getMethod("get" + attribute).invoke(bean),
                            name);
                }
            }
            assertEquals(8 << 20, bean.getMaxBytes());
            assertEquals(1, bean.getLeases());
            assertEquals(1, bean.getLeasesBySize().get(lease.capacity()));
            assertEquals(1, bean.getWaits());
            assertTrue(bean.getWaitedNanos() >= 1_000_000);
            assertEquals(1, bean.getAcquires().get("rejected"));
            assertEquals(1, bean.getReleases().get("recycled"));

            BufferPoolMXBean standard = JMX.newMXBeanProxy(
                    SERVER, new ObjectName("dev.buffers:type=BufferPool,name=figures"), BufferPoolMXBean.class);
            long free = stats.sizeClasses().stream()
                    .mapToLong(PoolStats.SizeClass::cached)
                    .sum();
            assertEquals("figures", standard.getName());
            assertEquals(1 + free, standard.getCount());
            assertEquals(stats.reservedBytes(), standard.getTotalCapacity());
            assertEquals(stats.reservedBytes() + stats.droppedBytes(), standard.getMemoryUsed());
            assertEquals("BufferPool", standard.getObjectName().getKeyProperty("type"));
            lease.release();
            long reserved = pool.stats().reservedBytes();
            assertEquals(reserved, bean.trim());
            assertEquals(0, bean.getReservedBytes());
        }
    }

    @Test
    void theTableIsAnOperation() throws Exception {
        try (BufferPool pool = shown("dumped").build();
                PooledBuffer lease = pool.acquire(4096)) {
            assertTrue(lease.isOpen());
            assertEquals(pool.dump(), own("dumped").dump());
        }
    }

    @Test
    void leakTrackingIsAWritableAttribute() throws Exception {
        try (BufferPool pool = shown("tracked").build()) {
            PoolMXBean bean = own("tracked");
            assertEquals("count", bean.getLeakTracking());
            bean.setLeakTracking("sample:7");
            assertEquals(LeakTracking.sample(7), pool.leaks());
            assertEquals("sample:7", bean.getLeakTracking());
            assertThrows(IllegalArgumentException.class, () -> bean.setLeakTracking(null));
            Refusal.of(
                    () -> bean.setLeakTracking("some"),
                    "bad value: leaks=some (from JMX) is none of the choices",
                    "accepted: count, all, sample:<n>");
            assertEquals(LeakTracking.sample(7), pool.leaks());
        }
    }

    /** Without texts Java shows "Information on the management interface of the MBean", and repeats the names. */
    @Test
    void everythingIsDescribed() throws Exception {
        try (BufferPool pool = shown("described").build()) {
            for (String name : names(pool.name())) {
                MBeanInfo info = SERVER.getMBeanInfo(new ObjectName(name));
                Map<String, String> texts = new TreeMap<>();
                for (MBeanFeatureInfo feature : info.getAttributes()) {
                    texts.put(feature.getName(), feature.getDescription());
                }
                for (MBeanFeatureInfo feature : info.getOperations()) {
                    texts.put(feature.getName(), feature.getDescription());
                }
                texts.forEach((feature, text) -> assertTrue(
                        text.contains(" ") && !text.contains("management") && !text.endsWith("."),
                        name + " " + feature + ": " + text));
                assertTrue(info.getDescription().contains("pool of byte buffers"), info.getDescription());
                Class<?> type = name.endsWith("type=Pool") ? PoolMXBean.class : BufferPoolMXBean.class;
                Set<String> features = Arrays.stream(type.getMethods())
                        .map(method -> method.getName().replaceFirst("^[gs]et", ""))
                        .collect(Collectors.toSet());
                assertEquals(features, texts.keySet());
                assertTrue(SERVER.isInstanceOf(new ObjectName(name), type.getName()));
            }
        }
    }

    @Test
    void closingUnregistersAndTheNameIsFreeAgain() throws Exception {
        for (int round = 0; round < 3; round++) {
            BufferPool pool = shown("again").build();
            assertEquals(pair("again", ""), names("again"));
            pool.close();
            pool.close();
            assertEquals(Set.of(), names("again"));
        }
    }

    @Test
    void poolsOfOneNameAreKeptApart() throws Exception {
        try (BufferPool one = shown("twin").build();
                BufferPool two = shown("twin").build()) {
            assertEquals("twin-2", two.name());
            assertEquals(pair("twin", ""), names("twin"));
            assertEquals(pair("twin-2", ""), names("twin-2"));
            assertEquals("twin", own(one.name()).getName());
        }
    }

    @Test
    void aNameThatJmxWouldMisreadIsQuoted() throws Exception {
        try (BufferPool pool = shown("a=b,c*").build()) {
            ObjectName name = new ObjectName("dev.buffers:type=Pool,name=" + ObjectName.quote(pool.name()));
            assertEquals(pool.name(), SERVER.getAttribute(name, "Name"));
        }
        assertEquals(
                0,
                SERVER.queryNames(new ObjectName("dev.buffers:name=\"*\",*"), null)
                        .size());
    }

    /** Another copy of the library does not see our names, only the server's. */
    @Test
    @SuppressWarnings("try") // one pool is closed early, the other is only there
    void copiesInOtherClassLoadersAreKeptApart() throws Exception {
        try (BufferPool ours = shown("copied").build();
                URLClassLoader loader = new URLClassLoader(Jvm.classPath(), ClassLoader.getPlatformClassLoader())) {
            Class<?> type = loader.loadClass(BufferPool.class.getName());
            Object builder = type.getMethod("builder", String.class).invoke(null, "copied");
            Class<?> builderType = loader.loadClass(BufferPool.Builder.class.getName());
            builderType.getMethod("max", long.class).invoke(builder, 1L << 20);
            builderType.getMethod("policy", String.class).invoke(builder, "heap-view");
            builderType.getMethod("jmx", boolean.class).invoke(builder, true);
            try (AutoCloseable theirs = assertInstanceOf(
                    AutoCloseable.class, builderType.getMethod("build").invoke(builder))) {
                Set<String> both = pair("copied", "");
                both.addAll(pair("copied", "copy=2,"));
                assertEquals(both, names("copied"));
                assertEquals(8 << 20, own("copied").getMaxBytes());
                ours.close();
                assertEquals(pair("copied", "copy=2,"), names("copied"));
            }
            assertEquals(Set.of(), names("copied"));
        }
    }

    @Test
    void unclosedPoolIsCollectedAndItsBeansGo() throws Exception {
        forget();
        Eventually.collected("the beans of a forgotten pool go", () -> {
            try {
                return names("forgotten").isEmpty();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void forget() throws Exception {
        shown("forgotten").build();
        assertEquals(pair("forgotten", ""), names("forgotten"));
    }

    /** On a runtime image of java.base alone: the setting is refused, and the name is free. */
    static final class WithoutManagement {
        public static void main(String[] args) {
            try {
                BufferPool.builder("bare").max(1 << 20).jmx(true).build();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
            try (BufferPool pool = BufferPool.builder("bare").max(1 << 20).build()) {
                System.out.println(pool.name());
            }
        }
    }

    @Test
    void jmxIsRefusedWithoutItsModule() throws Exception {
        assertEquals(
                "jmx=true needs the module java.management, which this Java does not have\nbare\n",
                Jvm.run(WithoutManagement.class, "--limit-modules=java.base").replace(System.lineSeparator(), "\n"));
    }

    /** Otherwise the beans of a new pool of that name would meet those of this one. */
    @Test
    void nameIsFreedAfterBeansAreGone() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        List<Boolean> taken = new ArrayList<>();
        NotificationListener listener = (notification, handback) -> {
            ObjectName name = ((MBeanServerNotification) notification).getMBeanName();
            if (notification.getType().equals(MBeanServerNotification.UNREGISTRATION_NOTIFICATION)
                    && "exposed-beans".equals(name.getKeyProperty("name"))) {
                taken.add(PoolName.open().contains("exposed-beans"));
            }
        };
        server.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener, null, null);
        try {
            BufferPool.builder("exposed-beans").policy("heap").jmx(true).build().close();
        } finally {
            server.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener);
        }
        assertFalse(taken.isEmpty());
        assertFalse(taken.contains(false));
    }
}
