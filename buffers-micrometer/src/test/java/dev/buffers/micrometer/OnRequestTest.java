// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The timer of waits and the summary of requested sizes: what they show, and when they come and go. */
class OnRequestTest {
    private final Panel panel = new Panel();
    private BufferPool pool;

    @BeforeEach
    void open() {
        pool = BufferPool.builder("web").max(4 << 20).build();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private BufferPoolMetrics both(Panel in) {
        return BufferPoolMetrics.builder(pool).waits().requestedSizes().monitor(in.registry);
    }

    private static DistributionSummary requested(Panel in) {
        return in.registry.get("buffers.pool.requested").summary();
    }

    /** One wait, which is refused, and two sizes asked for. */
    private void waitOnce() {
        PooledBuffer all = pool.acquire(4 << 20);
        assertThrows(PoolExhaustedException.class, () -> pool.acquire(1000, Duration.ofMillis(2)));
        all.release();
    }

    @Test
    void moreMetersOnRequest() {
        BufferPoolMetrics.monitor(panel.registry, pool);
        int usual = panel.registry.getMeters().size();
        BufferPoolMetrics.builder(pool).waits().monitor(panel.registry);
        assertEquals(usual + 1, panel.registry.getMeters().size());
        assertEquals(
                "seconds",
                panel.registry.get("buffers.pool.waits").functionTimer().getId().getBaseUnit());
        BufferPoolMetrics both = BufferPoolMetrics.builder(pool)
                .requestedSizes()
                .waits()
                .requestedSizes()
                .waits()
                .build();
        both.bindTo(panel.registry);
        assertEquals(usual + 2, panel.registry.getMeters().size());
        assertEquals(
                "bytes",
                panel.registry.get("buffers.pool.requested").summary().getId().getBaseUnit());
    }

    @Test
    void waitsAreTimed() {
        BufferPoolMetrics.builder(pool).waits().monitor(panel.registry);
        PooledBuffer all = pool.acquire(4 << 20);
        assertThrows(PoolExhaustedException.class, () -> pool.acquire(1000, Duration.ofMillis(2)));
        assertThrows(PoolExhaustedException.class, () -> pool.acquire(1000, Duration.ofMillis(3)));
        assertThrows(PoolExhaustedException.class, () -> pool.acquire(1000));
        FunctionTimer waits = panel.later().registry.get("buffers.pool.waits").functionTimer();
        assertEquals(2, waits.count());
        assertEquals(pool.stats().waitedNanos(), waits.totalTime(TimeUnit.NANOSECONDS), 1);
        assertTrue(waits.totalTime(TimeUnit.MILLISECONDS) >= 5);
        all.release();
    }

    @Test
    void requestedSizesAreThoseAskedFor() {
        BufferPoolMetrics.builder(pool).requestedSizes().monitor(panel.registry);
        pool.acquire(100).release();
        pool.acquire(101).release();
        pool.tryAcquire(1000).release();
        assertThrows(PoolExhaustedException.class, () -> pool.tryAcquire(5 << 20));
        try (ChannelBuffers channel = pool.channel()) {
            channel.acquire(3000).release();
        }
        DistributionSummary requested =
                panel.registry.get("buffers.pool.requested").summary();
        assertEquals(5, requested.count());
        assertEquals(100 + 101 + 1000 + (5 << 20) + 3000, requested.totalAmount());
        assertEquals(5 << 20, requested.max());
        panel.later();
        assertEquals(panel.value("buffers.pool.acquires"), requested.count(), "as many as there were acquires");
    }

    @Test
    void closeRemovesMetersAndEndsRecording() {
        BufferPoolMetrics metrics = both(panel);
        waitOnce();
        panel.later();
        DistributionSummary requested = requested(panel);
        FunctionTimer waits = panel.registry.get("buffers.pool.waits").functionTimer();
        assertEquals(2, requested.count());
        assertEquals(1, waits.count());
        metrics.close();
        assertTrue(panel.registry.getMeters().isEmpty());
        waitOnce();
        panel.later();
        assertEquals(2, requested.count());
        assertEquals(1, waits.count());
    }

    @Test
    void metersComeBackAfterClose() {
        for (int round = 1; round <= 3; round++) {
            BufferPoolMetrics metrics = both(panel);
            waitOnce();
            panel.later();
            assertEquals(2, requested(panel).count(), "a summary begins when it is registered");
            assertEquals(round, panel.value("buffers.pool.waits"), "the pool has counted all the time");
            metrics.close();
            assertTrue(panel.registry.getMeters().isEmpty());
        }
    }

    @Test
    void bindingAgainRecordsOnce() {
        BufferPoolMetrics metrics = both(panel);
        DistributionSummary former = requested(panel);
        metrics.bindTo(panel.registry);
        pool.acquire(1000).release();
        assertEquals(1, requested(panel).count());
        assertEquals(0, former.count());
        metrics.close();
        assertTrue(panel.registry.getMeters().isEmpty());
    }

    @Test
    void twoRegistriesSideBySide() {
        Panel second = new Panel();
        BufferPoolMetrics metrics = both(panel);
        waitOnce();
        metrics.bindTo(second.registry);
        waitOnce();
        assertEquals(4, requested(panel).count());
        assertEquals(2, requested(second).count());
        assertEquals(2, panel.later().value("buffers.pool.waits"));
        assertEquals(2, second.later().value("buffers.pool.waits"));
        metrics.close();
        assertTrue(panel.registry.getMeters().isEmpty());
        assertTrue(second.registry.getMeters().isEmpty());
    }

    /** M4 */
    @Test
    void aNewPoolOfTheSameNameTakesThePlace() {
        BufferPoolMetrics ofFormer = both(panel);
        waitOnce();
        pool.close();
        pool = BufferPool.builder("web").max(4 << 20).build();
        both(panel);
        pool.acquire(1000).release();
        ofFormer.close();
        panel.later();
        assertEquals(1, requested(panel).count());
        assertEquals(1000, requested(panel).totalAmount());
        assertEquals(0, panel.value("buffers.pool.waits"));
    }

    /** M4 */
    @Test
    void newPoolOfTheSameNameRemovesMetersOnRequestOfTheFormer() {
        both(panel);
        waitOnce();
        pool.close();
        pool = BufferPool.builder("web").max(4 << 20).build();
        BufferPoolMetrics.monitor(panel.registry, pool);
        assertFalse(panel.shows("buffers.pool.waits"));
        assertFalse(panel.shows("buffers.pool.requested"));
    }

    @Test
    void closedPoolIsStillShown() {
        BufferPoolMetrics metrics = both(panel);
        waitOnce();
        pool.close();
        panel.later();
        assertEquals(1, panel.value("buffers.pool.waits"));
        assertEquals(2, requested(panel).count());
        metrics.close();
        assertTrue(panel.registry.getMeters().isEmpty());
    }

    @Test
    void aCompositeShowsAndForgets() {
        SimpleMeterRegistry child = new SimpleMeterRegistry();
        CompositeMeterRegistry composite = new CompositeMeterRegistry(panel.clock, List.of(panel.registry, child));
        BufferPoolMetrics metrics =
                BufferPoolMetrics.builder(pool).waits().requestedSizes().monitor(composite);
        waitOnce();
        assertEquals(2, requested(panel).count());
        assertEquals(2, child.get("buffers.pool.requested").summary().count());
        assertEquals(1, panel.later().value("buffers.pool.waits"));
        metrics.close();
        assertTrue(panel.registry.getMeters().isEmpty());
        assertTrue(child.getMeters().isEmpty());
    }

    @Test
    void deniedMetersLeaveOthersIntact() {
        panel.registry.config().meterFilter(MeterFilter.denyNameStartsWith("buffers.pool.requested"));
        panel.registry.config().meterFilter(MeterFilter.denyNameStartsWith("buffers.pool.waits"));
        BufferPoolMetrics metrics = both(panel);
        waitOnce();
        panel.scrape();
        assertFalse(panel.shows("buffers.pool.requested"));
        assertFalse(panel.shows("buffers.pool.waits"));
        metrics.close();
        assertTrue(panel.registry.getMeters().isEmpty());
    }

    @Test
    void registryThatRefusesMeterKeepsNone() {
        panel.registry.config().onMeterAdded(meter -> {
            if (meter.getId().getName().equals("buffers.pool.requested")) {
                throw new IllegalStateException("no");
            }
        });
        assertThrows(IllegalStateException.class, () -> both(panel));
        assertNull(panel.registry.find("buffers.pool.waits").meter());
        assertNull(panel.registry.find("buffers.pool.memory.max").meter());
        pool.acquire(1000).release();
    }

    /** The pool keeps the summary, not the registry; and the registry keeps the pool only while it is there. */
    @Test
    void neitherKeepsTheOther() throws Exception {
        WeakReference<SimpleMeterRegistry> registry = new WeakReference<>(forgotten());
        assertTrue(isCollected(registry));
        pool.acquire(1000).release();
        Reference.reachabilityFence(pool);

        WeakReference<BufferPool> other = closedAndForgotten();
        assertTrue(isCollected(other));
        Reference.reachabilityFence(panel);
    }

    private SimpleMeterRegistry forgotten() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        BufferPoolMetrics.builder(pool).waits().requestedSizes().monitor(registry);
        pool.acquire(1000).release();
        return registry;
    }

    private WeakReference<BufferPool> closedAndForgotten() {
        BufferPool other = BufferPool.builder("kept").policy("heap-view").build();
        BufferPoolMetrics metrics =
                BufferPoolMetrics.builder(other).waits().requestedSizes().monitor(panel.registry);
        other.acquire(1000).release();
        metrics.close();
        return new WeakReference<>(other);
    }

    private static boolean isCollected(WeakReference<?> reference) throws InterruptedException {
        for (int i = 0; i < 1000 && reference.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return reference.get() == null;
    }
}
