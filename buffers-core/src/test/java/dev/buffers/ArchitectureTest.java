// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyHaveDependenciesWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The layers of docs/design.md, and which classes may depend on which. */
class ArchitectureTest {

    /** The folders, the lowest first. A class depends only on classes of its folder and of the folders before it. */
    private static final List<String> FLOORS = List.of(
            "dev.buffers.internal.text",
            "dev.buffers",
            "dev.buffers.internal.failsafe",
            "dev.buffers.internal.signals",
            "dev.buffers.internal.memory",
            "dev.buffers.internal.upkeep",
            "dev.buffers.internal.settings",
            "dev.buffers.internal.slab",
            "dev.buffers.internal.cache",
            "dev.buffers.internal.monitor",
            "dev.buffers.internal.guard",
            "dev.buffers.internal.pool");

    /** The one arrow that goes up: the API's factory makes the pool. */
    private static final String FACTORY = "BufferPool -> SlabPool";

    /** The packages that are not in {@code java.base}, and the only classes that go there. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            "com.sun.management", "DirectLimit",
            "java.lang.management", "DirectLimit Healing MBeans MaintenanceThread",
            "javax.management", "MBeans",
            "jdk.jfr", "FlightEventTypes",
            "org.jctools.queues.varhandle", "Depot Preload");

    /**
     * The methods below the pool through which a layer calls a higher one: abstract methods, and methods that take the call as an argument.
     */
    private static final Set<String> CALLS_UP = new TreeSet<>(List.of(
            "Block: link",
            "Callbacks: <init>",
            "ChannelInput: acquireOpen find settings",
            "DaemonThreads: newThread",
            "Depot: drain reap",
            "ExplicitSettings: <init> onLeak",
            "Exposure: warnOfOpenLeases",
            "FlightEventTypes: hook",
            "FlightEvents: hook sampled",
            "Footprint: <init>",
            "GuardedAcquire: <init> giveBackUnused handedOver takeBack whenAvailable",
            "GuardedPool: <init> whenAvailable",
            "Healing: <init>",
            "LeakReports: <init> findOverdue",
            "LeakTracker: <init>",
            "Magazine: peek",
            "MaintenanceThread: <init> watch",
            "PoolState: <init> addSizeListener removeSizeListener stats tick",
            "Serving: <init> handedOver takeBack",
            "SizeListener: <init>",
            "Slot: link",
            "SlotOwner: <init> endSlowly takeBack",
            "Tenancy: <init>",
            "ThreadCaches: flush flushOwn peekElsewhere sweep whileNoCountsMove",
            "ThreadTable: <init>",
            "WaitQueue: <init> handOver link",
            "Waiting: <init> giveBackUnused whenAvailable"));

    private static final int MOST_IN_A_CYCLE = 5;
    private static final int MOST_COLLABORATORS = 7;
    private static final int MOST_FIELD_TYPES = 12;

    private static final JavaClasses CORE = new ClassFileImporter()
            .importUrl(BufferPool.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void everyLockIsAMonitor() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Lock.class)
                .because("HotSpot unlocks monitors even when it drops frames without their finally")
                .check(CORE);
    }

    private static JavaClass room(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::room).orElse(type);
    }

    private static boolean isOurs(JavaClass type) {
        return type.getPackageName().startsWith("dev.buffers");
    }

    private static String arrow(Dependency dependency) {
        return room(dependency.getOriginClass()).getSimpleName() + " -> "
                + room(dependency.getTargetClass().getBaseComponentType()).getSimpleName();
    }

    /** Each class of a file, nested ones with it, and the files that it names; without the factory's arrow. */
    private static Map<String, Set<String>> arrows() {
        Map<String, Set<String>> arrows = new HashMap<>();
        for (JavaClass type : CORE) {
            Set<String> named = arrows.computeIfAbsent(room(type).getName(), name -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .filter(dependency -> isOurs(dependency.getTargetClass().getBaseComponentType()))
                    .filter(dependency -> !arrow(dependency).equals(FACTORY))
                    .map(dependency -> room(dependency.getTargetClass().getBaseComponentType())
                            .getName())
                    .filter(name -> !name.equals(room(type).getName()))
                    .forEach(named::add);
        }
        return arrows;
    }

    @Test
    void everyFolderHasALayer() {
        Set<String> folders =
                CORE.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
        folders.remove("dev.buffers.io");
        assertEquals(new TreeSet<>(FLOORS), folders);
    }

    @Test
    void callsGoDown() {
        for (int i = 0; i < FLOORS.size() - 1; i++) {
            String[] above = FLOORS.subList(i + 1, FLOORS.size()).toArray(String[]::new);
            DescribedPredicate<Dependency> goesUp = DescribedPredicate.describe(
                    "go up",
                    dependency -> resideInAnyPackage(above)
                                    .test(dependency.getTargetClass().getBaseComponentType())
                            && !arrow(dependency).equals(FACTORY));
            classes()
                    .that(resideInAPackage(FLOORS.get(i)))
                    .should(onlyHaveDependenciesWhere(DescribedPredicate.not(goesUp)))
                    .check(CORE);
        }
    }

    @Test
    void theFactoryNamesThePool() {
        assertTrue(CORE.get(BufferPool.class).getDirectDependenciesFromSelf().stream()
                .anyMatch(dependency -> arrow(dependency).equals(FACTORY)));
    }

    @Test
    void fewClassesFormACycle() {
        Map<String, Set<String>> arrows = arrows();
        Map<String, Set<String>> reached = new TreeMap<>();
        arrows.keySet().forEach(name -> reached.put(name, reached(arrows, name)));
        Set<Set<String>> cycles = new HashSet<>();
        reached.forEach((name, others) -> cycles.add(others.stream()
                .filter(other -> reached.get(other).contains(name))
                .collect(Collectors.toSet())));
        assertEquals(
                List.of(),
                cycles.stream().filter(cycle -> cycle.size() > MOST_IN_A_CYCLE).toList());
        assertTrue(cycles.stream().anyMatch(cycle -> cycle.size() == 2), "it finds none at all");
    }

    private static Set<String> reached(Map<String, Set<String>> arrows, String from) {
        Set<String> reached = new HashSet<>();
        Deque<String> due = new ArrayDeque<>(arrows.get(from));
        while (!due.isEmpty()) {
            String next = due.pop();
            if (reached.add(next)) {
                due.addAll(arrows.get(next));
            }
        }
        return reached;
    }

    @Test
    void noClassHasManyCollaborators() {
        Set<String> wide = new TreeSet<>();
        for (JavaClass type : CORE) {
            for (JavaCodeUnit constructor : type.getConstructors()) {
                long ours = constructor.getRawParameterTypes().stream()
                        .filter(parameter -> isOurs(parameter) || isCall(parameter))
                        .count();
                if (ours > MOST_COLLABORATORS) {
                    wide.add(type.getSimpleName() + " takes " + ours);
                }
            }
            long fields = type.getFields().stream()
                    .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                    .map(JavaField::getRawType)
                    .filter(ArchitectureTest::isOurs)
                    .filter(held -> !held.isEnum())
                    .distinct()
                    .count();
            if (fields > MOST_FIELD_TYPES && !type.getSimpleName().isEmpty()) {
                wide.add(type.getSimpleName() + " holds " + fields);
            }
        }
        assertEquals(Set.of(), wide);
    }

    /** Code that a layer calls without naming it lies above that layer: so this list has every way up. */
    @Test
    void upwardCallsAreListed() {
        Map<String, Set<String>> ways = new TreeMap<>();
        for (JavaClass type : CORE.that(resideInAPackage("dev.buffers.internal.."))) {
            if (!type.getPackageName().equals(FLOORS.get(FLOORS.size() - 1))) {
                type.getCodeUnits().stream()
                        .filter(unit -> goesUp(type, unit))
                        .forEach(unit -> ways.computeIfAbsent(room(type).getSimpleName(), name -> new TreeSet<>())
                                .add(unit.getName()));
            }
        }
        Set<String> found = new TreeSet<>();
        ways.forEach((type, methods) -> found.add(type + ": " + String.join(" ", methods)));
        assertEquals(CALLS_UP, found);
    }

    private static boolean goesUp(JavaClass type, JavaCodeUnit unit) {
        Set<JavaModifier> modifiers = unit.getModifiers();
        if (modifiers.contains(JavaModifier.PRIVATE) || modifiers.contains(JavaModifier.SYNTHETIC)) {
            return false;
        }
        return isAbstractClass(type) && modifiers.contains(JavaModifier.ABSTRACT)
                || unit.getRawParameterTypes().stream().anyMatch(ArchitectureTest::isCall);
    }

    private static boolean isAbstractClass(JavaClass type) {
        return !type.isInterface() && type.getModifiers().contains(JavaModifier.ABSTRACT);
    }

    private static boolean isCall(JavaClass parameter) {
        return parameter.isEquivalentTo(Runnable.class)
                || parameter.getPackageName().equals("java.util.function")
                || parameter.isInterface() && parameter.getPackageName().startsWith("dev.buffers.internal");
    }

    @Test
    void theHelpersSeeTheApiAlone() {
        noClasses()
                .that(resideInAPackage("dev.buffers.io"))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.buffers.internal.."))
                .check(CORE);
        noClasses()
                .that(resideInAnyPackage("dev.buffers", "dev.buffers.internal.."))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.buffers.io"))
                .check(CORE);
    }

    /** The types that a user can call or extend name nothing internal. */
    @Test
    void theApiNamesNothingInternal() {
        Set<String> internal = new TreeSet<>();
        for (JavaClass type : CORE.that(resideInAnyPackage("dev.buffers", "dev.buffers.io"))) {
            if (isOpen(type)) {
                type.getCodeUnits().stream()
                        .filter(unit -> isOpen(unit.getModifiers()))
                        .flatMap(unit ->
                                Stream.concat(unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType())))
                        .map(JavaClass::getBaseComponentType)
                        .filter(named -> named.getPackageName().startsWith("dev.buffers.internal"))
                        .forEach(named -> internal.add(type.getSimpleName() + " names " + named.getSimpleName()));
            }
        }
        assertEquals(Set.of(), internal);
    }

    private static boolean isOpen(JavaClass type) {
        return isOpen(type.getModifiers())
                && type.getEnclosingClass().map(ArchitectureTest::isOpen).orElse(true);
    }

    private static boolean isOpen(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    /** Whatever the mode, so that a call to a lease or to channel buffers has one target where no pool is guarded. */
    @Test
    void leaseAndChannelBuffersHaveOneSubclassBesideThoseOfTheGuard() {
        assertEquals(
                List.of("GuardedBuffer", "Lease"),
                CORE.get(PooledBuffer.class).getAllSubclasses().stream()
                        .map(JavaClass::getSimpleName)
                        .sorted()
                        .toList());
        assertEquals(
                List.of("GuardedChannel", "SlabChannelBuffers"),
                CORE.get(ChannelBuffers.class).getAllSubclasses().stream()
                        .filter(type -> !isAbstractClass(type))
                        .map(JavaClass::getSimpleName)
                        .sorted()
                        .toList());
    }

    @Test
    void noClassIsNamedUtilHelperOrManager() {
        noClasses()
                .should()
                .haveNameMatching(".*(Util|Utils|Helper|Impl|Manager|Platform)")
                .check(CORE);
    }

    @Test
    void coreDependsOnJdkAndJctoolsOnly() {
        Module base = Object.class.getModule();
        Map<String, Set<String>> expected = ELSEWHERE.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> new TreeSet<>(Arrays.asList(entry.getValue().split(" ")))));
        Map<String, Set<String>> found = new HashMap<>();
        for (JavaClass type : CORE) {
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(named -> !named.isPrimitive() && !isOurs(named))
                    .map(JavaClass::getPackageName)
                    .filter(name -> !base.isExported(name) && !name.startsWith("org.jspecify"))
                    .forEach(name -> found.computeIfAbsent(name, key -> new TreeSet<>())
                            .add(room(type).getSimpleName()));
        }
        assertEquals(expected, found);
    }
}
