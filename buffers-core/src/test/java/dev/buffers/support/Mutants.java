// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Shows that the tests can fail: plants one seeded fault after the other into a module's shipped classes and runs the test that the fault
 * names; should that pass, the module's quick tests, and then its stress tests. Ends with 1 when a fault survives them.
 *
 * <p>The build is left as it is: the classes that a patch changes are compiled into a separate folder, which stands first on the class path
 * of the JVM that runs the tests.
 */
final class Mutants {
    private static final long QUICK_SECONDS = 180;
    private static final long STRESS_SECONDS = 600;
    private static final long SUITE_SECONDS = 3600;
    /** How long a test waits for what a fault prevents. */
    private static final int PATIENCE_SECONDS = 30;

    private static final boolean SUITES =
            !System.getProperty("mutants.suites", "true").equals("false");
    private static final Pattern FAILED =
            Pattern.compile("MethodSource \\[className = '([^']*)', methodName = '([^']*)'");

    private final Path work;
    private final List<String> classPath;
    private final PrintStream out = System.out;

    /** The outcome of a fault. */
    private record Outcome(boolean killed, String how, long millis) {}

    /** The outcome of some tests; {@code failed} names the first that did. */
    private record Run(boolean passed, boolean inTime, String failed) {}

    private Mutants(Path work, List<String> classPath) {
        this.work = work;
        this.classPath = classPath;
    }

    /**
     * The module's name and its tests' class path. Property {@code mutants.only}: numbers of faults, to run no others;
     * {@code mutants.suites=false}: killers alone, to see whether they are the right ones.
     */
    public static void main(String[] args) throws Exception {
        Path work = Manual.ROOT.resolve(args[0]).resolve("target/mutants").toAbsolutePath();
        List<String> only =
                List.of(System.getProperty("mutants.only", "").trim().split("[ ,]+"));
        List<SeededFault> faults = SeededFault.all().stream()
                .filter(fault -> fault.module().equals(args[0]))
                .filter(fault ->
                        only.contains("") || only.contains(fault.name().substring(0, 3)) || only.contains(fault.name()))
                .toList();
        boolean allKilled = new Mutants(work, List.of(args[1].split(File.pathSeparator))).runAll(faults);
        System.exit(allKilled ? 0 : 1);
    }

    private boolean runAll(List<SeededFault> faults) throws Exception {
        long start = System.nanoTime();
        Map<SeededFault, Outcome> outcomes = new LinkedHashMap<>();
        List<String> broken = faults.isEmpty() ? List.of() : brokenWithoutFault(faults);
        for (SeededFault fault : faults) {
            long began = System.nanoTime();
            Outcome outcome = broken.contains(fault.killer())
                    ? new Outcome(false, "ITS KILLER FAILS WITHOUT IT", 0)
                    : outcome(fault, began);
            outcomes.put(fault, outcome);
            out.printf("%-44s %6.1f s  %s%n", fault.name(), outcome.millis() / 1000.0, outcome.how());
            out.flush();
        }
        long killed = outcomes.values().stream().filter(Outcome::killed).count();
        out.printf(
                "%d faults, %d killed, %d not; %d s%n",
                faults.size(),
                killed,
                faults.size() - killed,
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
        return killed == faults.size();
    }

    /** The killers that fail on the unchanged code. */
    private List<String> brokenWithoutFault(List<SeededFault> faults) throws Exception {
        List<String> killers =
                faults.stream().map(SeededFault::killer).distinct().toList();
        long start = System.nanoTime();
        List<String> options = new ArrayList<>();
        for (SeededFault fault : faults) {
            options.addAll(selecting(fault));
        }
        Run together = run("without-fault", null, options.stream().distinct().toList(), SUITE_SECONDS);
        List<String> broken = new ArrayList<>();
        if (!together.passed) {
            for (SeededFault fault : faults) {
                if (!broken.contains(fault.killer())
                        && !run("without-fault", null, selecting(fault), limit(fault)).passed) {
                    broken.add(fault.killer());
                }
            }
        }
        out.printf(
                "%d killers pass without a fault, %d do not; %d s%n",
                killers.size() - broken.size(),
                broken.size(),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
        return broken;
    }

    private Outcome outcome(SeededFault fault, long began) throws Exception {
        Path classes;
        try {
            Path folder = work.resolve(fault.name());
            delete(folder);
            classes = fault.compile(folder, classPath);
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            return new Outcome(false, "CANNOT BE PLANTED", 0);
        }
        Run run = run(fault.name(), classes, selecting(fault), limit(fault));
        String by = "by ";
        if (run.passed && SUITES) {
            by = "not by " + fault.killer() + " but by ";
            run = run(fault.name() + "-quick", classes, suite("--exclude-tag", quickExcludes()), SUITE_SECONDS);
        }
        if (run.passed && SUITES) {
            run = run(fault.name() + "-stress", classes, suite("--include-tag", "stress & !jol"), SUITE_SECONDS);
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        if (run.passed) {
            return new Outcome(false, "SURVIVED", millis);
        } else if (!run.inTime) {
            return new Outcome(
                    fault.hangs(), fault.hangs() ? by + "the time limit" : "HANGS, which it does not say", millis);
        }
        return new Outcome(true, by + run.failed, millis);
    }

    private static long limit(SeededFault fault) {
        return fault.suite() == SeededFault.Suite.QUICK ? QUICK_SECONDS : STRESS_SECONDS;
    }

    private static String quickExcludes() {
        return System.getProperty("mutants.excluded", "stress | external | jol");
    }

    private List<String> suite(String option, String tags) {
        String nested = ".*\\$.*"; // subjects of other tests, as for Surefire
        String folder = work.resolveSibling("test-classes").toString();
        return List.of("--scan-classpath", folder, "--exclude-classname", nested, option, tags);
    }

    /** A method is selected with its parameters' types. */
    private List<String> selecting(SeededFault fault) throws ClassNotFoundException, IOException {
        try (URLClassLoader loader = new URLClassLoader(
                classPath.stream().map(Mutants::url).toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> type = Class.forName(fault.killerClass(), false, loader);
            List<String> options = new ArrayList<>();
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(fault.killerMethod())) {
                    String parameters = Arrays.stream(method.getParameterTypes())
                            .map(Class::getName)
                            .collect(Collectors.joining(","));
                    options.add("--select-method");
                    options.add(type.getName() + "#" + method.getName() + "(" + parameters + ")");
                }
            }
            return options;
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(one);
                }
            }
        }
    }

    /** Runs tests in a separate JVM, until the first fails; {@code classes} come before the module's. */
    private Run run(String name, Path classes, List<String> options, long seconds) throws Exception {
        List<String> path = new ArrayList<>(classPath);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (classes != null) {
            path.add(0, classes.toString());
            command.add("-Dtest.patience=" + PATIENCE_SECONDS);
        }
        for (String option : System.getProperty("mutants.jvm", "").trim().split(" +")) {
            if (!option.isEmpty()) {
                command.add(option);
            }
        }
        command.addAll(List.of("-cp", String.join(File.pathSeparator, path)));
        command.addAll(List.of("org.junit.platform.console.ConsoleLauncher", "execute"));
        command.addAll(List.of("--details=summary", "--disable-banner", "--disable-ansi-colors", "--fail-fast"));
        command.addAll(List.of("--fail-if-no-tests", "--config=junit.jupiter.execution.timeout.default=2 m"));
        command.addAll(options);
        Path log = Files.createDirectories(work).resolve(name + ".txt");
        Process process = new ProcessBuilder(command)
                .directory(work.getParent().getParent().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean inTime = process.waitFor(seconds, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        int exit = process.destroyForcibly().waitFor();
        if (inTime && exit != 0 && exit != 1) {
            throw new IllegalStateException("tests could not be run: exit=" + exit + ", see " + log);
        }
        Matcher failed = FAILED.matcher(Files.readString(log));
        String first = !failed.find()
                ? "a test that " + log.getFileName() + " shows"
                : failed.group(1).replace("dev.buffers.", "") + "#" + failed.group(2);
        return new Run(inTime && exit == 0, inTime, first);
    }
}
