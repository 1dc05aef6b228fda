package dev.buffers.internal.signals;

import static dev.buffers.internal.signals.FlightEventsTest.ALL;
import static dev.buffers.internal.signals.FlightEventsTest.EVERY_EVENT_HAS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.List;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.SettingDescriptor;
import jdk.jfr.Timespan;
import jdk.jfr.ValueDescriptor;
import org.junit.jupiter.api.Test;

/** How the events look in a tool, and what is set when nobody sets anything. */
class FlightEventTypesTest {

    @Test
    void whatMissionControlShows() throws Exception {
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
                Region Reserved: Pool(String), Policy(String), Bytes(DataAmount BYTES), Adopted(boolean)
                Region Dropped: Pool(String), Policy(String), Bytes(DataAmount BYTES)
                Pool Exhausted: Pool(String), Size(DataAmount BYTES), Reason(String), Maximum(DataAmount BYTES), \
                Reserved(DataAmount BYTES), Leased(DataAmount BYTES), Cached(DataAmount BYTES), \
                Uncarved(DataAmount BYTES), Lost(DataAmount BYTES), Dropped(DataAmount BYTES), Leases(long), Waiters(long)
                Buffer Wait: Pool(String), Size(DataAmount BYTES), Succeeded(boolean)
                Buffer Leak: Pool(String), Capacity(DataAmount BYTES), Size(DataAmount BYTES), \
                Age(Timespan NANOSECONDS), Acquired By(String), Acquired At(String), Touched(String)
                Buffer Overdue: Pool(String), Capacity(DataAmount BYTES), Size(DataAmount BYTES), \
                Age(Timespan NANOSECONDS), Acquired By(String), Acquired At(String), Touched(String)
                Guard Finding: Pool(String), Kind(String), Capacity(DataAmount BYTES), Acquired At(String), \
                Released At(String), Found At(String)
                Pool Statistics: Pool(String), Policy(String), Waits(long), Waited(Timespan NANOSECONDS), \
                Leaks(long), Hits(long), Misses(long), Refused(long), Settings(String), Maximum(DataAmount BYTES), \
                Reserved(DataAmount BYTES), Leased(DataAmount BYTES), Cached(DataAmount BYTES), \
                Uncarved(DataAmount BYTES), Lost(DataAmount BYTES), Dropped(DataAmount BYTES), Leases(long), Waiters(long)
                """, shown.toString());
    }

    @Test
    void whatIsSetWhenNobodySetsAnything() throws Exception {
        StringBuilder set = new StringBuilder();
        Runnable sample = () -> {};
        FlightEvents.sample(sample); // as an open pool does; without one the event has no period
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
        FlightEvents.sampleNoMore(sample);
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
