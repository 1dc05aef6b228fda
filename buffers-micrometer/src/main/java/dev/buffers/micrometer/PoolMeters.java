// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.ReleaseOutcome;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one pool in one registry.
 *
 * <p>Any thread, and no lock in this class: the thread that reads a meter may hold any lock. A reading costs a look at the
 * clock; the first of a scrape also adds up the pool's figures, which takes the lock that misses use, never one that a hit
 * would wait for.
 */
final class PoolMeters {
    /*
     *   registry -> meter -> PoolMeters -> pool      all strong, and nothing static
     *   pool -> summary                              only while requested sizes are shown: to the meter, not to the registry
     *
     * M1  A reading serves all meters that are read within FRESH of it, each of them once, so that a scrape, which takes a few
     *     milliseconds, reads the pool once and its figures belong together. A meter that is read again takes a new reading,
     *     however soon: a registry that closes publishes all that was done before. Of two scrapes at the same time each may
     *     show readings of the other; no counter is less than in a reading before (R1).
     *     The reading that registration takes serves no scrape, so the first scrape shows all that was done since.
     * M2  A size's meter is registered by the one thread that adds it to `registered`, after the reading that announced it,
     *     hence during a scrape; registries allow that.
     * M3  A meter is added to `mine` and then `closed` is read; close sets `closed` and then empties `mine`. So none stays.
     * M4  An id that is taken is freed first: the registry would go on showing the former pool of that name. Then all other
     *     meters with these tags are removed: the former's sizes, and its meters on request. Tags are compared as filters made
     *     them, without `size` and `outcome`. Only meters that are still the registry's are removed on close, so that a
     *     successor keeps its own.
     * M5  A reading registers sizes only once M4 is done, and while one of `always` is the registry's. It looks again after it
     *     has registered one, and takes the meter back if a newcomer has come: M4 frees the ids of all of `always` before it
     *     looks for other meters. So either it finds the former's size, or the former finds the newcomer. In that race the
     *     former may take a meter of the same size from the newcomer, whose leases of that size are then not shown.
     */
    static final long FRESH = TimeUnit.MILLISECONDS.toNanos(100);

    /** Below it a histogram has one bucket: all get the same slot. */
    private static final double SMALLEST_SIZE = 128;

    private static final String PREFIX = "buffers.pool.";
    private static final String MEMORY = PREFIX + "memory.";
    private static final String SIZE = "size";
    private static final String OUTCOME = "outcome";

    private final MeterRegistry registry;
    private final Supplier<PoolStats> source;
    private final Tags tags;
    private final AtomicReference<Reading> latest;
    private final Set<Integer> registered = ConcurrentHashMap.newKeySet();
    private final Queue<Meter> mine = new ConcurrentLinkedQueue<>();
    private volatile Set<Meter> always = Set.of();
    private volatile boolean complete;
    private Runnable stopListening = () -> {};
    private volatile boolean closed;

    private PoolMeters(MeterRegistry registry, Supplier<PoolStats> source, Tags tags) {
        this.registry = registry;
        this.source = source;
        this.tags = tags;
        this.latest = new AtomicReference<>(Reading.first(now() - FRESH, source.get()));
    }

    /** Those that are always shown, and more. */
    static PoolMeters register(
            MeterRegistry registry, Supplier<PoolStats> source, Tags tags, Consumer<PoolMeters> more) {
        PoolMeters meters = new PoolMeters(registry, source, tags);
        try {
            meters.registerFigures();
            meters.registerCounters();
            meters.always = identities(meters.mine);
            more.accept(meters);
            meters.removeOthers();
            meters.complete = true;
            // Read after that: it has the sizes that a reading has announced and not registered.
            meters.registerSizes(meters.latest.get());
        } catch (Throwable e) {
            meters.close();
            throw e;
        }
        return meters;
    }

    /** Removes the meters. A removed meter that is still referenced goes on showing the reading that this takes. */
    void close() {
        try {
            newReading();
        } finally {
            closed = true;
            stopListening.run();
            removeMine();
        }
    }

    /** How often and how long threads waited for room. */
    void registerWaits() {
        String name = "buffers.pool.waits";
        free(new Meter.Id(name, tags, null, null, Meter.Type.TIMER));
        Value waits = new Value(reading -> reading.count(Reading.Counter.WAITS));
        Value nanos = new Value(reading -> reading.count(Reading.Counter.WAITED_NANOS));
        // Refers weakly to the object it is given, as function counters do.
        keep(FunctionTimer.builder(
                        name, this, ignored -> (long) waits.get(), ignored -> nanos.get(), TimeUnit.NANOSECONDS)
                .description("Waits for room that have ended, and how long they took")
                .tags(tags)
                .register(registry));
    }

    /** Which sizes acquires ask for: each is recorded as it is acquired. */
    void registerRequestedSizes(BufferPool pool) {
        String name = "buffers.pool.requested";
        free(new Meter.Id(name, tags, null, null, Meter.Type.DISTRIBUTION_SUMMARY));
        DistributionSummary summary = DistributionSummary.builder(name)
                .baseUnit(BaseUnits.BYTES)
                .description("The sizes that acquires asked for")
                .minimumExpectedValue(SMALLEST_SIZE)
                .maximumExpectedValue((double) pool.settings().maxSize())
                .tags(tags)
                .register(registry);
        keep(summary);
        IntConsumer listener = summary::record;
        pool.addSizeListener(listener);
        stopListening = () -> pool.removeSizeListener(listener);
    }

    private void registerFigures() {
        memory("max", "The cap; pools that set no max share one, so do not add them up", PoolStats::maxBytes);
        memory("reserved", "Memory the pool has: leased, cached, uncarved and lost", PoolStats::reservedBytes);
        memory("leased", "Memory out on lease, in whole slots", PoolStats::leasedBytes);
        memory("cached", "Free slots, wherever they are", PoolStats::cachedBytes);
        memory("uncarved", "Reserved memory that belongs to no slot yet", PoolStats::uncarvedBytes);
        memory("lost", "Slots never used again: their lease was lost or discarded", PoolStats::lostBytes);
        memory("dropped", "Memory let go of, which the collector has not taken yet", PoolStats::droppedBytes);
        leases("other", Reading::otherLeases);
        figure("buffers.pool.regions", "regions", "Regions that make up the reserved memory", PoolStats::regions);
        figure("buffers.pool.slabs", "slabs", "Regions that are cut into slots", PoolStats::slabs);
        figure("buffers.pool.waiters", "waiters", "Threads and wake-ups that wait for room", PoolStats::waiters);
    }

    private void registerCounters() {
        for (AcquireOutcome outcome : AcquireOutcome.values()) {
            Tags its = tags.and(OUTCOME, text(outcome));
            counter("buffers.pool.acquires", "acquires", "Acquires, by where they found their memory", its, outcome);
        }
        for (ReleaseOutcome outcome : ReleaseOutcome.values()) {
            Tags its = tags.and(OUTCOME, text(outcome));
            counter("buffers.pool.releases", "releases", "Releases, by what became of the memory", its, outcome);
        }
        String trimmed = "Memory given back for want of use";
        counter("buffers.pool.leaks", "leaks", "Leases dropped without a release", tags, Reading.Counter.LEAKS);
        counter("buffers.pool.trimmed", BaseUnits.BYTES, trimmed, tags, Reading.Counter.TRIMMED_BYTES);
        String asked = "Garbage collections that the pool has asked the JVM for";
        counter("buffers.pool.collections", "collections", asked, tags, Reading.Counter.COLLECTIONS);
    }

    private void registerSizes(Reading reading) {
        for (int size : reading.announced()) {
            if (registered.add(size) && isShown()) {
                leases(String.valueOf(size), latest -> latest.leases(size));
                if (!isShown()) {
                    removeMine();
                }
            }
        }
    }

    /** Whether no newcomer has taken the place of all that is always shown. */
    private boolean isShown() {
        return !registeredOf(always::contains).isEmpty();
    }

    /** Removes all meters with these tags but those registered up to now. */
    private void removeOthers() {
        Set<Meter.Id> ids = new HashSet<>();
        Set<Set<Tag>> ours = new HashSet<>();
        for (Meter meter : mine) {
            ids.add(meter.getId());
            ours.add(commonTags(meter));
        }
        registeredOf(meter -> meter.getId().getName().startsWith(PREFIX)
                        && !ids.contains(meter.getId())
                        && ours.contains(commonTags(meter)))
                .forEach(registry::remove);
    }

    /** The tags that all meters of a pool have. */
    private static Set<Tag> commonTags(Meter meter) {
        Set<Tag> common = new HashSet<>(meter.getId().getTags());
        common.removeIf(tag -> tag.getKey().equals(SIZE) || tag.getKey().equals(OUTCOME));
        return common;
    }

    private void memory(String name, String description, ToLongFunction<PoolStats> figure) {
        figure(MEMORY + name, BaseUnits.BYTES, description, figure);
    }

    private void leases(String size, ToLongFunction<Reading> figure) {
        gauge(
                "buffers.pool.leases",
                BaseUnits.BUFFERS,
                "Buffers out on lease, by the slot's bytes; other: larger than any class, unpooled, or a class without a meter",
                tags.and(SIZE, size),
                figure);
    }

    private void figure(String name, String unit, String description, ToLongFunction<PoolStats> figure) {
        gauge(name, unit, description, tags, reading -> figure.applyAsLong(reading.stats()));
    }

    private void gauge(String name, String unit, String description, Tags its, ToLongFunction<Reading> figure) {
        free(new Meter.Id(name, its, unit, description, Meter.Type.GAUGE));
        Value value = new Value(figure);
        keep(Gauge.builder(name, value::get)
                .baseUnit(unit)
                .description(description)
                .tags(its)
                .register(registry));
    }

    private void counter(String name, String unit, String description, Tags its, Enum<?> counter) {
        free(new Meter.Id(name, its, unit, description, Meter.Type.COUNTER));
        // The counter refers weakly to the object it is given; it is the function that keeps us.
        Value value = new Value(reading -> reading.count(counter));
        keep(FunctionCounter.builder(name, this, ignored -> value.get())
                .baseUnit(unit)
                .description(description)
                .tags(its)
                .register(registry));
    }

    private void free(Meter.Id id) {
        registry.removeByPreFilterId(id);
    }

    private void keep(Meter meter) {
        mine.add(meter);
        if (closed) {
            removeMine();
        }
    }

    private void removeMine() {
        Set<Meter> taken = identities(List.of());
        for (Meter meter = mine.poll(); meter != null; meter = mine.poll()) {
            taken.add(meter);
        }
        // Looked at after the meters were taken, so that it has every one that was registered before it was added.
        registeredOf(taken::contains).forEach(registry::remove);
    }

    private List<Meter> registeredOf(Predicate<Meter> wanted) {
        List<Meter> found = new ArrayList<>();
        registry.forEachMeter(meter -> {
            if (wanted.test(meter)) {
                found.add(meter);
            }
        });
        return found;
    }

    private static Set<Meter> identities(Collection<Meter> meters) {
        Set<Meter> identities = Collections.newSetFromMap(new IdentityHashMap<>());
        identities.addAll(meters);
        return identities;
    }

    /** What a meter shows. */
    private final class Value {
        private final ToLongFunction<Reading> figure;
        private volatile @Nullable Reading shown;

        Value(ToLongFunction<Reading> figure) {
            this.figure = figure;
        }

        double get() {
            Reading next = readingAfter(shown);
            shown = next;
            return figure.applyAsLong(next);
        }
    }

    private Reading readingAfter(@Nullable Reading shown) {
        Reading last = latest.get();
        if (closed || last != shown && now() - last.takenAt() < FRESH) {
            return last;
        }
        Reading next = newReading();
        if (complete) {
            registerSizes(next);
        }
        return next;
    }

    private Reading newReading() {
        long at = now();
        PoolStats stats = source.get();
        return latest.updateAndGet(before -> before.next(at, stats));
    }

    private long now() {
        return registry.config().clock().monotonicTime();
    }

    private static String text(Enum<?> outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }
}
