// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.signals;

import static dev.buffers.internal.signals.FlightEventsTest.ALL;
import static dev.buffers.internal.signals.FlightEventsTest.EVERY_EVENT_HAS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.buffers.BufferPool;
import dev.buffers.support.Eventually;
import dev.buffers.support.Jvm;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Supplier;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.SettingDescriptor;
import jdk.jfr.Timespan;
import jdk.jfr.ValueDescriptor;
import org.junit.jupiter.api.Test;

/** How the events look in a tool, and their default settings. */
class FlightEventTypesTest {

    @Test
    void missionControlShowsLabelsAndKinds() throws Exception {
        StringBuilder shown = new StringBuilder();
        for (String name : ALL) {
            EventType type = type(name);
            assertEquals(List.of("Buffers"), type.getCategoryNames(), name);
            assertFalse(type.getDescription() == null || type.getDescription().endsWith("."), name);
            shown.append(type.getLabel()).append(':');
            for (ValueDescriptor field : type.getFields()) {
                if (!EVERY_EVENT_HAS.contains(field.getName())) {
                    assertNotNull(field.getDescription(), () -> name + "." + field.getName());
                    shown.append(' ').append(field.getLabel()).append('(').append(kind(field));
                    shown.append("),");
                }
            }
            shown.setLength(shown.length() - 1);
            shown.append('\n');
        }
        assertEquals("""
                Region Reserved: Adopted(boolean), Policy(String), Bytes(DataAmount BYTES), Pool(String)
                Region Dropped: Policy(String), Bytes(DataAmount BYTES), Pool(String)
                Pool Exhausted: Size(DataAmount BYTES), Reason(String), Maximum(DataAmount BYTES), \
                Reserved(DataAmount BYTES), Leased(DataAmount BYTES), Cached(DataAmount BYTES), \
                Uncarved(DataAmount BYTES), Lost(DataAmount BYTES), Dropped(DataAmount BYTES), Leases(long), \
                Waiters(long), Pool(String)
                Buffer Wait: Size(DataAmount BYTES), Succeeded(boolean), Pool(String)
                Buffer Leak: Capacity(DataAmount BYTES), Size(DataAmount BYTES), Age(Timespan NANOSECONDS), \
                Acquired By(String), Acquired At(String), Touched(String), Pool(String)
                Buffer Overdue: Capacity(DataAmount BYTES), Size(DataAmount BYTES), Age(Timespan NANOSECONDS), \
                Acquired By(String), Acquired At(String), Touched(String), Pool(String)
                Guard Finding: Kind(String), Capacity(DataAmount BYTES), Acquired At(String), \
                Released At(String), Found At(String), Pool(String)
                Pool Statistics: Policy(String), Waits(long), Waited(Timespan NANOSECONDS), \
                Leaks(long), Hits(long), Misses(long), Refused(long), Settings(String), Maximum(DataAmount BYTES), \
                Reserved(DataAmount BYTES), Leased(DataAmount BYTES), Cached(DataAmount BYTES), \
                Uncarved(DataAmount BYTES), Lost(DataAmount BYTES), Dropped(DataAmount BYTES), Leases(long), \
                Waiters(long), Pool(String)
                """, shown.toString());
    }

    @Test
    void everyEventHasItsDefaultSettings() throws Exception {
        StringBuilder set = new StringBuilder();
        Runnable hook = () -> {};
        FlightEventTypes.hook(hook, true); // as the daemon does; without one the event has no period
        for (String name : ALL) {
            set.append(type(name).getLabel()).append(':');
            for (String setting : List.of("enabled", "stackTrace", "threshold", "period")) {
                type(name).getSettingDescriptors().stream()
                        .filter(s -> s.getName().equals(setting))
                        .map(SettingDescriptor::getDefaultValue)
                        .forEach(value ->
                                set.append(' ').append(setting).append('=').append(value));
            }
            set.append('\n');
        }
        FlightEventTypes.hook(hook, false);
        assertEquals("""
                Region Reserved: enabled=true stackTrace=true threshold=0 ns
                Region Dropped: enabled=true stackTrace=false threshold=0 ns
                Pool Exhausted: enabled=true stackTrace=true threshold=0 ns
                Buffer Wait: enabled=true stackTrace=true threshold=1 ms
                Buffer Leak: enabled=true stackTrace=false threshold=0 ns
                Buffer Overdue: enabled=true stackTrace=false threshold=0 ns
                Guard Finding: enabled=true stackTrace=false threshold=0 ns
                Pool Statistics: enabled=true period=10 s
                """, set.toString());
    }

    /** Makes the first pool of a JVM, in a class of a separate loader. */
    public static final class Maker implements Supplier<BufferPool> {
        @Override
        public BufferPool get() {
            return BufferPool.builder("first").policy("heap").build();
        }
    }

    static final class ApplicationThatGoes {
        private static final class Loader extends ClassLoader {
            Class<?> define(byte[] bytes) {
                return defineClass(Maker.class.getName(), bytes, 0, bytes.length);
            }
        }

        private static WeakReference<Loader> run() throws Exception {
            Loader loader = new Loader();
            try (InputStream in = Maker.class.getResourceAsStream("FlightEventTypesTest$Maker.class")) {
                Object maker = loader.define(in.readAllBytes()).getConstructor().newInstance();
                BufferPool first = (BufferPool) ((Supplier<?>) maker).get();
                KEPT = BufferPool.builder("second").policy("heap").build();
                first.close();
            }
            return new WeakReference<>(loader);
        }

        private static BufferPool KEPT;

        public static void main(String[] args) throws Exception {
            WeakReference<Loader> loader = run();
            Eventually.collected("the application goes", () -> loader.get() == null);
            KEPT.close();
            System.out.println("gone");
        }
    }

    /** The recorder keeps the hook as long as any pool is open, and before JDK 24 also the protection domains of its caller. */
    @Test
    void hookKeepsNoApplication() throws Exception {
        assertEquals("gone\n", Jvm.run(ApplicationThatGoes.class));
    }

    /** Our own: another test may have loaded a second copy of the library, whose events have the same names. */
    private static EventType type(String name) throws Exception {
        String nested = FlightEventTypes.class.getName() + "$" + name.substring(name.lastIndexOf('.') + 1);
        return EventType.getEventType(Class.forName(nested).asSubclass(Event.class));
    }

    private static String kind(ValueDescriptor field) {
        DataAmount amount = field.getAnnotation(DataAmount.class);
        Timespan span = field.getAnnotation(Timespan.class);
        if (amount != null || span != null) {
            return amount != null ? "DataAmount " + amount.value() : "Timespan " + span.value();
        }
        return field.getTypeName().replace("java.lang.", "");
    }
}
