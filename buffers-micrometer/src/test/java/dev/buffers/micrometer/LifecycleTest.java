// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When meters come and go, and what they keep alive. */
class LifecycleTest {
    private final Panel panel = new Panel();

    @Test
    void closeRemovesTheMetersAndNoOthers() {
        Counter users = panel.registry.counter("buffers.pool.mine", "pool", "web");
        try (BufferPool pool = BufferPool.create("web")) {
            pool.acquire(100).release();
            BufferPoolMetrics metrics = BufferPoolMetrics.monitor(panel.registry, pool);
            pool.acquire(1000).release();
            panel.scrape();
            assertTrue(panel.shows("buffers.pool.leases", "size", "128"));
            assertTrue(panel.shows("buffers.pool.leases", "size", "1024"));
            metrics.close();
            assertEquals(List.of(users), panel.registry.getMeters());
            metrics.close();
            var e = assertThrows(IllegalStateException.class, () -> metrics.bindTo(panel.registry));
            assertEquals("metrics are closed: pool=web", e.getMessage());
            assertEquals(List.of(users), panel.registry.getMeters());
        }
    }

    @Test
    void keptMeterShowsLastReadingAfterClose() {
        try (BufferPool pool = BufferPool.create("web")) {
            BufferPoolMetrics metrics = BufferPoolMetrics.monitor(panel.registry, pool);
            Gauge leases = panel.registry.get("buffers.pool.memory.leased").gauge();
            PooledBuffer lease = pool.acquire(100);
            panel.later();
            assertEquals(128, leases.value());
            metrics.close();
            lease.release();
            panel.later();
            assertEquals(128, leases.value());
            assertTrue(panel.registry.getMeters().isEmpty());
        }
    }

    @Test
    void metersComeBackAfterClose() {
        try (BufferPool pool = BufferPool.create("web")) {
            for (int round = 1; round <= 3; round++) {
                BufferPoolMetrics metrics = BufferPoolMetrics.monitor(panel.registry, pool);
                PooledBuffer lease = pool.acquire(100);
                panel.scrape();
                panel.later();
                assertEquals(1, panel.value("buffers.pool.leases", "size", "128"));
                assertEquals(round, panel.value("buffers.pool.acquires"));
                lease.release();
                metrics.close();
                assertTrue(panel.registry.getMeters().isEmpty());
            }
        }
    }

    @Test
    void twoPoolsSideBySide() {
        try (BufferPool web = BufferPool.create("web");
                BufferPool files = BufferPool.create("files")) {
            BufferPoolMetrics ofWeb = BufferPoolMetrics.monitor(panel.registry, web);
            BufferPoolMetrics.monitor(panel.registry, files);
            PooledBuffer one = web.acquire(100);
            PooledBuffer two = files.acquire(5000);
            panel.later();
            assertEquals(one.capacity(), panel.value("buffers.pool.memory.leased", "pool", "web"));
            assertEquals(two.capacity(), panel.value("buffers.pool.memory.leased", "pool", "files"));
            ofWeb.close();
            assertFalse(panel.shows("buffers.pool.memory.leased", "pool", "web"));
            assertEquals(two.capacity(), panel.value("buffers.pool.memory.leased", "pool", "files"));
            one.release();
            two.release();
        }
    }

    @Test
    void twoRegistriesSideBySide() {
        Panel second = new Panel();
        try (BufferPool pool = BufferPool.create("web")) {
            BufferPoolMetrics both = BufferPoolMetrics.monitor(panel.registry, pool);
            both.bindTo(second.registry);
            assertEquals(0, second.value("buffers.pool.memory.leased"));
            PooledBuffer lease = pool.acquire(100);
            panel.later();
            assertEquals(128, panel.value("buffers.pool.memory.leased"));
            assertEquals(0, second.value("buffers.pool.leases"), "by its own clock nothing has passed");
            assertEquals(128, second.later().value("buffers.pool.memory.leased"));
            both.close();
            assertTrue(panel.registry.getMeters().isEmpty());
            assertTrue(second.registry.getMeters().isEmpty());
            lease.release();
        }
    }

    @Test
    void bindingAgainAddsNoMeters() {
        try (BufferPool pool = BufferPool.create("web")) {
            BufferPoolMetrics metrics = BufferPoolMetrics.monitor(panel.registry, pool);
            int meters = panel.registry.getMeters().size();
            panel.registry.clear();
            metrics.bindTo(panel.registry);
            metrics.bindTo(panel.registry);
            assertEquals(meters, panel.registry.getMeters().size());
            metrics.close();
            assertTrue(panel.registry.getMeters().isEmpty());
        }
    }

    @Test
    void bindingAgainForgetsSizesNoLongerInUse() {
        try (BufferPool pool = BufferPool.builder("web").policy("heap-view").build()) {
            pool.acquire(100).release();
            BufferPoolMetrics metrics = BufferPoolMetrics.monitor(panel.registry, pool);
            assertTrue(panel.shows("buffers.pool.leases", "size", "128"));
            pool.trim();
            metrics.bindTo(panel.registry);
            assertFalse(panel.shows("buffers.pool.leases", "size", "128"));
            metrics.close();
            assertTrue(panel.registry.getMeters().isEmpty());
        }
    }

    @Test
    void closedPoolIsStillShown() {
        BufferPool pool = BufferPool.create("web");
        BufferPoolMetrics metrics = BufferPoolMetrics.monitor(panel.registry, pool);
        PooledBuffer late = pool.acquire(100);
        pool.acquire(100).release();
        pool.close();
        panel.later();
        assertEquals(2, panel.value("buffers.pool.acquires"));
        assertEquals(1, panel.value("buffers.pool.releases"));
        assertEquals(1, panel.value("buffers.pool.leases"));
        late.release();
        panel.later();
        assertEquals(0, panel.value("buffers.pool.leases"));
        assertEquals(0, panel.value("buffers.pool.memory.reserved"));
        assertEquals(2, panel.value("buffers.pool.releases"));
        metrics.close();
        assertTrue(panel.registry.getMeters().isEmpty());
    }

    /** M4 */
    @Test
    void aNewPoolOfTheSameNameTakesThePlace() {
        BufferPool former = BufferPool.create("web");
        BufferPoolMetrics ofFormer = BufferPoolMetrics.monitor(panel.registry, former);
        former.acquire(100).release();
        former.close();
        try (BufferPool pool = BufferPool.create("web")) {
            BufferPoolMetrics.monitor(panel.registry, pool);
            PooledBuffer lease = pool.acquire(5000);
            panel.later();
            assertEquals(lease.capacity(), panel.value("buffers.pool.memory.leased"));
            assertEquals(1, panel.value("buffers.pool.acquires"));
            ofFormer.close();
            panel.later();
            assertEquals(
                    lease.capacity(),
                    panel.value("buffers.pool.memory.leased"),
                    "closing the former takes nothing away");
            lease.release();
        }
    }

    /** M4 */
    @Test
    void newPoolOfTheSameNameRemovesSizesOfTheFormer() throws Exception {
        Counter users = panel.registry.counter("buffers.pool.mine", "pool", "web");
        WeakReference<BufferPool> former = formerWithSize();
        try (BufferPool pool = BufferPool.create("web")) {
            BufferPoolMetrics metrics = BufferPoolMetrics.monitor(panel.registry, pool);
            assertFalse(panel.shows("buffers.pool.leases", "size", "5120"));
            assertTrue(isCollected(former, 100));
            PooledBuffer lease = pool.acquire(5000);
            panel.scrape();
            panel.scrape();
            assertEquals(1, panel.value("buffers.pool.leases", "size", "5120"));
            assertEquals(1, panel.value("buffers.pool.leases"));
            lease.release();
            metrics.close();
            assertEquals(List.of(users), panel.registry.getMeters());
        }
    }

    /** Its meters are not closed. */
    private WeakReference<BufferPool> formerWithSize() {
        BufferPool former = BufferPool.create("web");
        BufferPoolMetrics.monitor(panel.registry, former);
        former.acquire(5000).release();
        panel.scrape();
        assertTrue(panel.shows("buffers.pool.leases", "size", "5120"));
        former.close();
        return new WeakReference<>(former);
    }

    @Test
    void newPoolOfTheSameNameRemovesSizesOfTheFormerUnderCommonTags() {
        panel.registry.config().commonTags("host", "a");
        formerWithSize();
        try (BufferPool pool = BufferPool.create("web")) {
            BufferPoolMetrics.monitor(panel.registry, pool);
            assertFalse(panel.shows("buffers.pool.leases", "size", "5120"));
        }
    }

    @Test
    void newPoolOfTheSameNameKeepsMetersWithOtherTags() {
        formerWithSize();
        int meters = panel.registry.getMeters().size();
        try (BufferPool pool = BufferPool.create("web")) {
            BufferPoolMetrics ofPool = BufferPoolMetrics.monitor(panel.registry, pool, "n", "1");
            assertTrue(panel.shows("buffers.pool.leases", "size", "5120"));
            ofPool.close();
        }
        try (BufferPool pool = BufferPool.builder("web").policy("heap").build()) {
            BufferPoolMetrics ofPool = BufferPoolMetrics.monitor(panel.registry, pool);
            assertTrue(panel.shows("buffers.pool.leases", "size", "5120"));
            ofPool.close();
        }
        assertEquals(meters, panel.registry.getMeters().size());
    }

    /** M4: a thread that scrapes still has a meter of the former. */
    @Test
    void keptMeterOfTheFormerRegistersNoSize() {
        BufferPool former = BufferPool.create("web");
        BufferPoolMetrics.monitor(panel.registry, former);
        Gauge kept = panel.registry.get("buffers.pool.regions").gauge();
        PooledBuffer late = former.acquire(100);
        PooledBuffer later = former.acquire(5000);
        former.close();
        try (BufferPool pool = BufferPool.create("web")) {
            PooledBuffer lease = pool.acquire(100);
            BufferPoolMetrics.monitor(panel.registry, pool);
            assertTrue(panel.shows("buffers.pool.leases", "size", "128"));
            lease.release();
            panel.later();
            kept.value();
            panel.later();
            kept.value();
            assertEquals(0, panel.value("buffers.pool.leases", "size", "128"));
            assertFalse(panel.shows("buffers.pool.leases", "size", "5120"));
            late.release();
            later.release();
        }
    }

    /** M4: a scrape registers sizes of the former while a newcomer registers its meters. */
    @Test
    void noSizeOfTheFormerStaysWhenAScrapeMeetsANewcomer() throws Exception {
        for (int round = 0; round < 300; round++) {
            AtomicInteger sizes = new AtomicInteger();
            PoolMeters.register(panel.registry, () -> withSizes(sizes.get()), Tags.empty(), more -> {});
            sizes.set(40);
            Gauge gauge = panel.later().registry.get("buffers.pool.regions").gauge();
            CyclicBarrier start = new CyclicBarrier(2);
            Thread scraper = new Thread(() -> {
                await(start);
                gauge.value();
            });
            scraper.start();
            await(start);
            PoolMeters newcomer = PoolMeters.register(panel.registry, () -> withSizes(0), Tags.empty(), more -> {});
            scraper.join();
            assertEquals(1, panel.registry.get("buffers.pool.leases").meters().size());
            newcomer.close();
            assertTrue(
                    panel.registry.getMeters().isEmpty(),
                    () -> panel.registry.getMeters().toString());
        }
    }

    private static PoolStats withSizes(int sizes) {
        Figures figures = Figures.none();
        for (int i = 1; i <= sizes; i++) {
            figures.leased(i * 128, 1);
        }
        return figures.stats();
    }

    @Test
    void aCompositeShowsAndForgets() {
        SimpleMeterRegistry child = new SimpleMeterRegistry();
        try (BufferPool pool = BufferPool.create("web")) {
            CompositeMeterRegistry composite = new CompositeMeterRegistry(panel.clock, List.of(panel.registry, child));
            for (int round = 0; round < 2; round++) {
                BufferPoolMetrics metrics = BufferPoolMetrics.monitor(composite, pool);
                PooledBuffer lease = pool.acquire(100);
                panel.later();
                assertEquals(128, panel.value("buffers.pool.memory.leased"));
                assertEquals(
                        128, child.get("buffers.pool.memory.leased").gauge().value());
                assertEquals(round + 1, panel.value("buffers.pool.acquires"));
                lease.release();
                metrics.close();
                assertTrue(panel.registry.getMeters().isEmpty());
                assertTrue(child.getMeters().isEmpty());
            }
        }
    }

    @Test
    void removedMeterShowsReadingOfClose() {
        try (BufferPool pool = BufferPool.create("web")) {
            BufferPoolMetrics metrics = BufferPoolMetrics.monitor(panel.registry, pool);
            Gauge leased = panel.registry.get("buffers.pool.memory.leased").gauge();
            assertEquals(0, leased.value());
            PooledBuffer first = pool.acquire(100);
            metrics.close(); // the clock stands still
            PooledBuffer second = pool.acquire(100);
            assertEquals(128, leased.value());
            assertEquals(128, leased.value());
            first.release();
            second.release();
        }
    }

    @Test
    void deniedMetersLeaveOthersIntact() {
        panel.registry.config().meterFilter(MeterFilter.denyNameStartsWith("buffers.pool.leases"));
        panel.registry.config().commonTags("host", "a");
        try (BufferPool pool = BufferPool.create("web")) {
            BufferPoolMetrics metrics = BufferPoolMetrics.monitor(panel.registry, pool);
            pool.acquire(100).release();
            panel.scrape();
            assertFalse(panel.shows("buffers.pool.leases"));
            assertTrue(panel.shows("buffers.pool.regions", "host", "a"));
            metrics.close();
            assertTrue(panel.registry.getMeters().isEmpty());
        }
    }

    @Test
    void aRegistryThatRefusesAMeterKeepsNone() {
        panel.registry.config().onMeterAdded(meter -> {
            if (meter.getId().getName().equals("buffers.pool.waiters")) {
                throw LifecycleTest.<RuntimeException>sneaky(new IOException("no"));
            }
        });
        try (BufferPool pool = BufferPool.create("web")) {
            assertThrows(IOException.class, () -> BufferPoolMetrics.monitor(panel.registry, pool));
            assertTrue(panel.registry.find("buffers.pool.memory.max").meters().isEmpty());
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** M3: a scrape registers sizes while the meters are being closed. */
    @Test
    void nothingStaysWhenAScrapeMeetsClose() throws Exception {
        for (int round = 0; round < 300; round++) {
            AtomicInteger sizes = new AtomicInteger();
            PoolMeters meters =
                    PoolMeters.register(panel.registry, () -> withSizes(sizes.get()), Tags.empty(), more -> {});
            sizes.set(40);
            Gauge gauge = panel.later().registry.get("buffers.pool.regions").gauge();
            CyclicBarrier start = new CyclicBarrier(2);
            Thread scraper = new Thread(() -> {
                await(start);
                gauge.value();
            });
            scraper.start();
            await(start);
            meters.close();
            scraper.join();
            assertTrue(
                    panel.registry.getMeters().isEmpty(),
                    () -> panel.registry.getMeters().toString());
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(300, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theRegistryKeepsThePool() throws Exception {
        panel.registry
                .config()
                .meterFilter(MeterFilter.denyUnless(id -> id.getName().equals("buffers.pool.acquires")));
        WeakReference<BufferPool> pool = monitored(panel.registry);
        assertFalse(isCollected(pool, 3), "even if none but function counters are left");
        assertEquals(1, panel.later().value("buffers.pool.acquires"));
    }

    @Test
    void nothingElseDoes() throws Exception {
        int before = Metrics.globalRegistry.getMeters().size();
        WeakReference<BufferPool> ofRegistryGone = monitored(new SimpleMeterRegistry());
        WeakReference<BufferPool> ofMetersClosed = closed(panel.registry);
        assertTrue(isCollected(ofRegistryGone, 100));
        assertTrue(isCollected(ofMetersClosed, 100));
        assertEquals(before, Metrics.globalRegistry.getMeters().size());
        Reference.reachabilityFence(panel);
    }

    private static WeakReference<BufferPool> monitored(MeterRegistry registry) {
        BufferPool pool = BufferPool.builder("kept").policy("heap-view").build();
        BufferPoolMetrics.monitor(registry, pool);
        pool.acquire(100).release();
        return new WeakReference<>(pool);
    }

    private static WeakReference<BufferPool> closed(MeterRegistry registry) {
        BufferPool pool = BufferPool.builder("kept").policy("heap-view").build();
        BufferPoolMetrics metrics = BufferPoolMetrics.monitor(registry, pool);
        pool.acquire(100).release();
        metrics.close();
        assertNull(registry.find("buffers.pool.leaks").meter());
        return new WeakReference<>(pool);
    }

    private static boolean isCollected(WeakReference<?> reference, int tries) throws InterruptedException {
        for (int i = 0; i < tries && reference.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return reference.get() == null;
    }
}
