// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.LeakReport;
import dev.buffers.PoolSettings;
import dev.buffers.PoolStats;
import dev.buffers.internal.monitor.Statistics;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.support.Explicit;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events, recorded and read back. */
public class FlightEventsTest {
    public static final List<String> ALL = List.of(
            "dev.buffers.RegionReserved",
            "dev.buffers.RegionDropped",
            "dev.buffers.Exhausted",
            "dev.buffers.Waited",
            "dev.buffers.Leak",
            "dev.buffers.Overdue",
            "dev.buffers.GuardFinding",
            "dev.buffers.PoolStatistics");
    static final Set<String> EVERY_EVENT_HAS = Set.of("startTime", "duration", "eventThread", "stackTrace");
    private static final PoolStats STATS = new Statistics.PoolFigures(
            1001,
            1002,
            1003,
            1004,
            1005,
            1006,
            1007,
            8,
            9,
            10,
            11,
            12,
            13,
            14,
            15,
            16,
            Map.of(
                    AcquireOutcome.CHANNEL, 100L,
                    AcquireOutcome.THREAD, 200L,
                    AcquireOutcome.DEPOT, 1L,
                    AcquireOutcome.CARVED, 2L,
                    AcquireOutcome.OVERSIZE, 3L,
                    AcquireOutcome.UNPOOLED, 4L,
                    AcquireOutcome.REJECTED, 5L),
            Map.of(),
            List.of());
    private static final PoolSettings SETTINGS =
            ResolvedSettings.resolve("web", new Explicit().policy("heap").max(1 << 20), Map.of(), Map.of());

    @TempDir
    Path dir;

    /** Each event as its name, {@code here} if its stack leads to the caller, and its fields by name. */
    @Test
    void eachEventHasItsFields() throws Exception {
        LeakReport report = report(true, 1000);
        assertTrue(report.stackText().contains("Session.java:42")
                && report.touchText().contains("parsed"));
        List<RecordedEvent> events = record(() -> {
            FlightEvents.regionReserved("web", "direct-view", 1L << 33, true);
            FlightEvents.regionDropped("web", "heap", 7);
            FlightEvents.exhausted("web", 100, "the cap is reached", STATS);
            FlightEvents.leaseFound(report);
            FlightEvents.leaseFound(report(false, 1));
            FlightEvents.leaseFound(new LeakReport("web", 4096, true, Optional.empty()));
            FlightEvents.guardFinding("web", "written after release", 4096, "a.A.b()", "c.C.d()", "e.E.f()");
            FlightEvents.sampled("web-2", SETTINGS, () -> STATS);
        });
        assertEquals(
                List.of(
                        "RegionReserved here {adopted=true, bytes=8589934592, policy=direct-view, pool=web}",
                        "RegionDropped {bytes=7, policy=heap, pool=web}",
                        "Exhausted here {cachedBytes=1004, droppedBytes=1007, leasedBytes=1003, leases=8, lostBytes=1006,"
                                + " maxBytes=1001, pool=web, reason=the cap is reached, reservedBytes=1002, size=100,"
                                + " uncarvedBytes=1005, waiters=11}",
                        "Leak {acquiredAt=" + report.stackText()
                                + ", age=5000000007, capacity=4096, pool=web, size=100," + " thread=worker-1, touched="
                                + report.touchText() + "}",
                        "Overdue {acquiredAt=" + report(false, 1).stackText()
                                + ", age=5000000007, capacity=4096, pool=web," + " size=100, thread=worker-1, touched="
                                + report.touchText() + "}",
                        "Leak {acquiredAt=, age=-1, capacity=4096, pool=web, size=-1, thread=, touched=}",
                        "GuardFinding {acquiredAt=a.A.b(), capacity=4096, foundAt=e.E.f(), kind=written after release,"
                                + " pool=web, releasedAt=c.C.d()}",
                        "PoolStatistics {cachedBytes=1004, droppedBytes=1007, hits=300, leaks=14, leasedBytes=1003,"
                                + " leases=8, lostBytes=1006, maxBytes=1001, misses=10, policy=heap, pool=web-2, refused=5,"
                                + " reservedBytes=1002, settings=" + SETTINGS + ", uncarvedBytes=1005, waited=13,"
                                + " waiters=11, waits=12}"),
                events.stream().map(FlightEventsTest::text).toList());
        assertEquals(Thread.currentThread().getName(), events.get(0).getThread().getJavaName());
        assertEquals(Duration.ofNanos(5_000_000_007L), events.get(3).getDuration("age"));
    }

    private static String text(RecordedEvent event) {
        String name = event.getEventType().getName().replace("dev.buffers.", "");
        if (event.getStackTrace() != null) {
            assertStackLeadsHere(event);
            name += " here";
        }
        return name + " " + new TreeMap<>(fields(event));
    }

    private static LeakReport report(boolean lost, int frames) {
        StackTraceElement frame = new StackTraceElement("server.Session", "read", "Session.java", 42);
        return new LeakReport(
                "web",
                4096,
                lost,
                Optional.of(new LeakReport.Acquisition(
                        100,
                        Duration.ofNanos(5_000_000_007L),
                        "worker-1",
                        Collections.nCopies(frames, frame),
                        List.of(new LeakReport.Touch("parsed", Duration.ofSeconds(1), "worker-2")))));
    }

    @Test
    void textsThatAreMissingAreRecordedAsMissing() throws Exception {
        List<RecordedEvent> events = record(() -> callEverything(null, null));

        assertEquals(ALL, names(events));
        for (RecordedEvent event : events) {
            boolean ofAReport = event.hasField("acquiredAt") && event.hasField("age"); // where no text is missing
            assertEquals(ofAReport ? "web" : null, event.getString("pool"), () -> event.toString());
        }
    }

    @Test
    void eachEventOfTheCodeIsTestedHere() {
        Set<String> declared = Stream.of(FlightEventTypes.class.getDeclaredClasses())
                .filter(type -> Event.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers()))
                .map(type -> type.getAnnotation(Name.class).value())
                .collect(toSet());

        assertEquals(Set.copyOf(ALL), declared);
    }

    // ---------------------------------------------------------------- not recorded

    @Test
    void disabledEventsAreNotRecorded() throws Exception {
        for (String disabled : ALL) {
            List<String> rest = new ArrayList<>(ALL);
            rest.remove(disabled);

            assertEquals(rest, names(record(r -> r.disable(disabled), () -> callEverything("web", "x"))));
        }
    }

    @Test
    void waitIsNotBegunWhenWaitsAreNotRecorded() throws Exception {
        assertNull(FlightEvents.waitBegins());
        record(r -> r.disable("dev.buffers.Waited"), () -> assertNull(FlightEvents.waitBegins()));
        record(() -> assertNotNull(FlightEvents.waitBegins()));
        assertNull(FlightEvents.waitBegins());
    }

    @Test
    void waitThatBeginsOrEndsOutsideRecordingIsNotRecorded() throws Exception {
        Object[] begun = new Object[1];
        record(() -> begun[0] = FlightEvents.waitBegins());
        FlightEvents.waitEnded(begun[0], "web", 100, true);

        assertEquals(List.of(), record(() -> FlightEvents.waitEnded(null, "web", 100, true)));
    }

    @Test
    void waitShorterThanThresholdIsNotRecorded() throws Exception {
        assertEquals(
                List.of(),
                record(r -> r.enable("dev.buffers.Waited").withThreshold(Duration.ofHours(1)), () -> waitFor(true)));
        assertEquals(
                List.of("dev.buffers.Waited"),
                names(record(
                        r -> r.enable("dev.buffers.Waited").withoutThreshold(),
                        () -> FlightEvents.waitEnded(FlightEvents.waitBegins(), "web", 100, true))));
    }

    // ---------------------------------------------------------------- recording

    private static final LeakReport LOST = new LeakReport("web", 1, true, Optional.empty());
    private static final LeakReport OVERDUE = new LeakReport("web", 1, false, Optional.empty());

    public static void callEverything(String pool, String text) {
        FlightEvents.regionReserved(pool, text, 1, true);
        FlightEvents.regionDropped(pool, text, 1);
        FlightEvents.exhausted(pool, 1, text, STATS);
        Object begun = FlightEvents.waitBegins();
        if (begun != null) {
            sleep(2);
        }
        FlightEvents.waitEnded(begun, pool, 1, true);
        FlightEvents.leaseFound(LOST);
        FlightEvents.leaseFound(OVERDUE);
        FlightEvents.guardFinding(pool, text, 1, text, text, text);
        FlightEvents.sampled(pool, SETTINGS, () -> STATS);
    }

    private static void waitFor(boolean succeeded) {
        Object begun = FlightEvents.waitBegins();
        sleep(20);
        FlightEvents.waitEnded(begun, "web", 100, succeeded);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Our events of a recording with nothing set, oldest first. */
    private List<RecordedEvent> record(Runnable work) throws IOException {
        return record(r -> {}, work);
    }

    private List<RecordedEvent> record(Consumer<Recording> settings, Runnable work) throws IOException {
        Path file = dir.resolve("test.jfr");
        try (Recording recording = new Recording()) {
            settings.accept(recording);
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return ours(file);
    }

    /** Pools that other tests have left open may record events too, from other threads. */
    public static List<RecordedEvent> ours(Path file) throws IOException {
        long self = Thread.currentThread().getId();
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("dev.buffers."))
                .filter(event -> event.getThread().getJavaThreadId() == self)
                .sorted((a, b) -> a.getEndTime().compareTo(b.getEndTime()))
                .toList();
    }

    public static List<String> names(List<RecordedEvent> events) {
        return events.stream().map(event -> event.getEventType().getName()).toList();
    }

    private static Map<String, Object> fields(RecordedEvent event) {
        return event.getFields().stream()
                .map(ValueDescriptor::getName)
                .filter(name -> !EVERY_EVENT_HAS.contains(name))
                .collect(toMap(name -> name, event::<Object>getValue));
    }

    private static void assertStackLeadsHere(RecordedEvent event) {
        Set<String> classes = new TreeSet<>();
        event.getStackTrace()
                .getFrames()
                .forEach(frame -> classes.add(frame.getMethod().getType().getName()));
        assertTrue(classes.contains(FlightEventsTest.class.getName()), () -> classes.toString());
    }
}
