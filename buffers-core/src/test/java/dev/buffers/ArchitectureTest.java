package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The arrows of docs/design.md, as {@code jdeps} reads them out of the compiled classes: who names whom. A new class needs a floor
 * here, and an arrow that goes up a reason. Constants that javac has copied, and comments, are no arrows.
 */
class ArchitectureTest {

    /** The rooms, the lowest floor first. A class names those of its own floor and of the floors below. */
    private static final List<Set<String>> FLOORS = List.of(
            // what knows no room: settings, figures, arithmetic, and what the JDK has
            words(
                    "AcquireOutcome ArenaMemory BufferPolicy BuiltInPolicy ByteSize Callbacks Ceiling DaemonThreads DirectLimit DurationText Exhaustion"
                            + " ExplicitSettings FlightEventTypes FlightEvents LeakTracking PoolName PolicyLookup PoolExhaustedException PoolSettings"
                            + " PoolStats ReleaseOutcome IntrusiveList Setting SettingKey SettingMap SettingsFile SettingsSource SizeClasses SizeListeners"
                            + " Spelling StackProbe AllocationFreeLock"),
            // raw bytes, the cap
            words("Budget Region RegionAllocator"),
            // an index in a slab; free or leased
            words("ReturnStack Preallocated Slab SlabLists SlabStore Slot SlotConsumer AcquireTrace"),
            // a batch
            words("Depot Depots"),
            // the current thread
            words("Counters Magazine ThreadCache ThreadCaches"),
            // what is done on a miss, and without traffic
            words(
                    "SlabGrowth Guard LeakReport LeakTracker Revocation SlowRelease HandOff Statistics WaitQueue WakeUps"),
            // the order of attempts
            words("SlowAcquire MaintenanceThread Maintenance WaitingAcquire"),
            // the pool, its leases, a connection's rhythm
            words(
                    "MBeans BufferPool ChannelBuffers PoolMXBean PooledBuffer Preload RecycledPool SlabPool SpecialPool"));

    /** All arrows that go up. */
    private static final Map<String, Set<String>> UP = Map.of(
            // it is asked for its name and its settings, and whether it is closed or under pressure
            "SlabPool",
            words(
                    "SlabGrowth Guard LeakReport LeakTracker Revocation RegionAllocator SlowRelease HandOff Slab Slot SlowAcquire ThreadCaches AcquireTrace"
                            + " MaintenanceThread Maintenance WaitQueue WaitingAcquire WakeUps"),
            // a slot carries its recycled lease
            "PooledBuffer",
            words("Slot"),
            // the canaries between slots; and whose frames a stack leaves out
            "Guard",
            words("Slab AcquireTrace"),
            "SpecialPool",
            words("AcquireTrace"),
            "LeakTracker",
            words("AcquireTrace"));

    /** All that a user can name. */
    private static final Set<String> API = words(
            "AcquireOutcome BufferPolicy BufferPool BufferPool$Builder ChannelBuffers Exhaustion Exhaustion$Kind LeakReport"
                    + " LeakReport$Acquisition LeakTracking LeakTracking$Kind PoolExhaustedException PoolMXBean PoolSettings"
                    + " PoolSettings$Freeing PoolSettings$LeaseMode PoolSettings$Zeroing PoolStats PoolStats$SizeClass PooledBuffer"
                    + " ReleaseOutcome io.BufferChain io.PartialTransferException io.PooledInputStream io.PooledOutputStream"
                    + " io.Transfers");

    /** The packages that are not in {@code java.base}, and who alone goes there. */
    private static final Map<String, Set<String>> ELSEWHERE = Map.of(
            "com.sun.management", words("DirectLimit"),
            "java.lang.management", words("MBeans DirectLimit"),
            "javax.management", words("MBeans"),
            "jdk.jfr", words("FlightEventTypes"),
            "org.jctools.queues.varhandle", words("Depot Preload"),
            "org.jspecify.annotations", words("package-info io.package-info"));

    private static final String OURS = "dev.buffers.";
    private static final Pattern ARROW = Pattern.compile("^ +(\\S+) +-> (\\S+) ", Pattern.MULTILINE);
    private static final Pattern OUR_NAME = Pattern.compile("dev\\.buffers\\.([\\w.$]+)");
    private static final Set<Arrow> ARROWS = new HashSet<>();

    /** One class of ours names another, of ours (then without {@code dev.buffers.}) or not. */
    private record Arrow(String from, String to, boolean isToOurs) {
        static Arrow of(String from, String to) {
            return new Arrow(within(from), within(to), to.startsWith(OURS));
        }

        private static String within(String type) {
            return type.startsWith(OURS) ? type.substring(OURS.length()) : type;
        }

        String fromRoom() {
            return from.replaceFirst("\\$.*", "");
        }

        String toRoom() {
            return to.replaceFirst("\\$.*", "");
        }

        String toPackage() {
            return to.substring(0, to.lastIndexOf('.'));
        }

        boolean isOfTheCore() {
            return !from.startsWith("io.");
        }
    }

    private static Set<String> words(String text) {
        return new TreeSet<>(Arrays.asList(text.split(" ")));
    }

    @BeforeAll
    static void readTheArrows() throws Exception {
        String jctools = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> Path.of(entry).getFileName().toString().startsWith("jctools-core"))
                .collect(Collectors.joining(File.pathSeparator));
        Path classes = Path.of(BufferPool.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        StringWriter report = new StringWriter();
        PrintWriter out = new PrintWriter(report);
        int status = ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(out, out, "-v", "--multi-release", "17", "--module-path", jctools, classes.toString());
        assertEquals(0, status, report::toString);
        Matcher arrow = ARROW.matcher(report.toString());
        while (arrow.find()) {
            ARROWS.add(Arrow.of(arrow.group(1), arrow.group(2)));
        }
        assertTrue(ARROWS.size() > 1000, report::toString);
    }

    /** What the arrows that {@code which} chooses have to say, each thing once. */
    private static Set<String> found(Predicate<Arrow> which, Function<Arrow, String> what) {
        return ARROWS.stream().filter(which).map(what).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Says only what differs. */
    private static void assertAre(Set<String> expected, Set<String> found) {
        Set<String> unexpected = new TreeSet<>(found);
        unexpected.removeAll(expected);
        Set<String> missing = new TreeSet<>(expected);
        missing.removeAll(found);
        assertEquals("unexpected [], missing []", "unexpected " + unexpected + ", missing " + missing);
    }

    @Test
    void everyClassHasOneFloor() {
        Set<String> placed = new TreeSet<>();
        FLOORS.forEach(floor -> floor.forEach(room -> assertTrue(placed.add(room), room)));
        assertAre(placed, found(arrow -> arrow.isOfTheCore() && !arrow.from.equals("package-info"), Arrow::fromRoom));
    }

    @Test
    void callsGoDown() {
        Set<String> expected = new TreeSet<>();
        UP.forEach((to, rooms) -> rooms.forEach(from -> expected.add(from + " -> " + to)));
        assertAre(
                expected,
                found(
                        arrow -> arrow.isOfTheCore()
                                && arrow.isToOurs
                                && floor(arrow.toRoom()) > floor(arrow.fromRoom()),
                        arrow -> arrow.fromRoom() + " -> " + arrow.toRoom()));
    }

    private static int floor(String room) {
        for (int i = 0; i < FLOORS.size(); i++) {
            if (FLOORS.get(i).contains(room)) {
                return i;
            }
        }
        throw new AssertionError("no floor: class=" + room);
    }

    @Test
    void theHelpersSeeTheApiAlone() {
        assertAre(
                Set.of(),
                found(
                        arrow -> !arrow.isOfTheCore()
                                && arrow.isToOurs
                                && !arrow.to.startsWith("io.")
                                && !API.contains(arrow.to),
                        Arrow::toString));
    }

    @Test
    void whatIsPublicIsApiAndNamesNothingElse() throws ClassNotFoundException {
        Set<String> open = new TreeSet<>();
        Set<String> named = new TreeSet<>();
        for (String name : found(arrow -> true, Arrow::from)) {
            Class<?> type = Class.forName(OURS + name, false, BufferPool.class.getClassLoader());
            if (isOpen(type)) {
                open.add(name);
                signatures(type).map(OUR_NAME::matcher).forEach(found -> {
                    while (found.find()) {
                        named.add(found.group(1));
                    }
                });
            }
        }
        assertAre(API, open);
        named.removeAll(API);
        assertAre(Set.of(), named);
    }

    private static boolean isOpen(Class<?> type) {
        boolean outside = type.getEnclosingClass() == null || isOpen(type.getEnclosingClass());
        return outside && isOpen(type.getModifiers());
    }

    private static boolean isOpen(int modifiers) {
        return (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    }

    /** The types of all that others can call. */
    private static Stream<String> signatures(Class<?> type) {
        Stream<Method> methods = Arrays.stream(type.getDeclaredMethods()).filter(method -> !method.isSynthetic());
        return Stream.of(
                        methods.filter(method -> isOpen(method.getModifiers()))
                                .flatMap(method -> Stream.concat(
                                        Stream.of(method.getGenericReturnType()),
                                        Arrays.stream(method.getGenericParameterTypes()))),
                        Arrays.stream(type.getDeclaredConstructors())
                                .filter(constructor -> isOpen(constructor.getModifiers()))
                                .flatMap(constructor -> Arrays.stream(constructor.getGenericParameterTypes())),
                        Arrays.stream(type.getDeclaredFields())
                                .filter(field -> isOpen(field.getModifiers()))
                                .map(Field::getGenericType))
                .flatMap(Function.identity())
                .map(Type::getTypeName);
    }

    @Test
    void thereAreTwoPackagesAndNoDrawers() {
        assertAre(
                Set.of(),
                found(
                        arrow -> arrow.from.replaceFirst("^io\\.", "").contains(".")
                                || arrow.fromRoom().matches(".*(Util|Utils|Helper|Impl|Manager|Platform)"),
                        Arrow::from));
    }

    @Test
    void itStandsOnTheJdkAndOnJctools() {
        Module base = Object.class.getModule();
        Set<String> expected = new TreeSet<>();
        ELSEWHERE.forEach((to, rooms) -> rooms.forEach(from -> expected.add(from + " -> " + to)));
        assertAre(
                expected,
                found(
                        arrow -> !arrow.isToOurs && !base.isExported(arrow.toPackage()),
                        arrow -> arrow.fromRoom() + " -> " + arrow.toPackage()));
    }
}
