// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static dev.buffers.internal.signals.FlightEventsTest.ALL;
import static dev.buffers.internal.signals.FlightEventsTest.callEverything;
import static dev.buffers.internal.signals.FlightEventsTest.names;
import static dev.buffers.internal.signals.FlightEventsTest.ours;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.support.Jvm;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The events in separate JVMs: without a recording, without the recorder's module, and with a full heap. */
class FlightEventsJvmTest {
    /** A pool at work, and all calls. */
    static final class WithoutRecorder {
        public static void main(String[] args) {
            try {
                Class.forName("jdk.jfr.Event");
                throw new AssertionError("the module is there");
            } catch (ClassNotFoundException expected) {
                // So it should be.
            }
            try (BufferPool pool = BufferPool.create("bare")) {
                pool.acquire(100).release();
                callEverything("bare", "x");
                System.out.println(
                        FlightEvents.waitBegins() + " " + pool.stats().leases());
            }
        }
    }

    @Tag("full")
    @Test
    void allWorksWithoutTheModule() throws Exception {
        assertEquals("null 0\n", Jvm.run(WithoutRecorder.class, "--limit-modules=java.base"));
    }

    @Test
    void allWorksWithoutTheModuleOnTheModulePath() throws Exception {
        assertEquals("null 0\n", runAsModule(WithoutRecorder.class, "--limit-modules=dev.buffers"));
    }

    /** Records itself; prints which events it reads back. */
    static final class Recorded {
        public static void main(String[] args) throws Exception {
            Path file = Files.createTempFile("recorded", ".jfr");
            try (Recording recording = new Recording()) {
                recording.start();
                callEverything("named", "x");
                recording.stop();
                recording.dump(file);
                System.out.println(FlightEvents.class.getModule() + " " + names(ours(file)));
            } finally {
                Files.delete(file);
            }
        }
    }

    @Test
    void ourModuleRecords() throws Exception {
        assertEquals("module dev.buffers " + ALL + "\n", runAsModule(Recorded.class, "--add-modules=jdk.jfr"));
    }

    /** Compiled by C1 alone, which removes no object that does not escape: prints what so many calls have allocated. */
    static final class NotRecording {
        public static void main(String[] args) {
            com.sun.management.ThreadMXBean threads =
                    (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            long allocated = 0;
            for (int round = 0; round < 3; round++) { // what the first loads does not count
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 10_000; i++) {
                    callEverything("quiet", "x");
                }
                allocated = threads.getCurrentThreadAllocatedBytes() - before;
            }
            System.out.println(FlightEvents.waitBegins() + " " + (allocated < 10_000 ? "nothing" : allocated) + " "
                    + FlightRecorder.isInitialized());
        }
    }

    @Test
    void withoutRecordingNothingIsAllocatedAndRecorderIsNotInitialized() throws Exception {
        assertEquals("null nothing false\n", Jvm.run(NotRecording.class));
    }

    /** Fills the heap to the last byte while it records, more than once since the recorder's own threads may die of it. */
    static final class OutOfMemory {
        private static Object[] heap;

        public static void main(String[] args) {
            new Recording().start();
            callEverything("full", "x");
            int full = 0;
            for (int round = 0; round < 5; round++) {
                for (int bytes = 1 << 20; bytes >= 8; bytes = fits(bytes) ? bytes : bytes / 2) {}
                callEverything("full", "x");
                full += fits(8) ? 0 : 1;
            }
            heap = null;
            System.out.println((full > 0) + " went on");
            Runtime.getRuntime().halt(0);
        }

        private static boolean fits(int bytes) {
            try {
                heap = new Object[] {heap, new byte[bytes]};
                return true;
            } catch (OutOfMemoryError e) {
                return false;
            }
        }
    }

    @Tag("full")
    @Test
    void anEventForWhichThereIsNoMemoryIsLost() throws Exception {
        String output = Jvm.run(OutOfMemory.class, "-Xmx24m", "-XX:+UseSerialGC");

        assertTrue(output.lines().anyMatch("true went on"::equals), output); // other threads may write after it
    }

    /** On the module path: our module with the tests patched in, and JCTools. */
    private static String runAsModule(Class<?> main, String option) throws Exception {
        String library = Stream.concat(
                        Stream.of(whereIs(FlightEvents.class)),
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                                .filter(entry ->
                                        Path.of(entry).getFileName().toString().startsWith("jctools-core")))
                .collect(joining(File.pathSeparator));
        return Jvm.run(
                main,
                "-p",
                library,
                "--patch-module",
                "dev.buffers=" + whereIs(main),
                option,
                "-m",
                "dev.buffers/" + main.getName());
    }

    private static String whereIs(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }
}
