// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Journal;
import dev.buffers.bench.harness.Machine;
import dev.buffers.bench.harness.Progress;
import dev.buffers.bench.report.Standing;
import dev.buffers.bench.report.Terminal;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/**
 * Tells what a run does: on a terminal in one line that changes each second, elsewhere in a line every ten seconds. What a pair has found
 * stays. Two threads: the run's, and one that prints.
 */
final class LiveLine implements Progress, AutoCloseable {
    private static final int TERMINAL_SECONDS = 1;
    private static final int OTHER_SECONDS = 10;

    /** To the start of the line, and erase it. */
    private static final String AGAIN = "\r\u001b[K";

    private final PrintStream out;
    private final boolean terminal;
    private final Journal journal;
    private final Instant deadline;
    private final int mostPairs;
    private final Function<Journal, String> soFar;
    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "live-line");
        thread.setDaemon(true);
        return thread;
    });

    /** The current step, and the best side's figure; the run's thread writes them. */
    private volatile String doing = "";

    private volatile String known = "";

    /** When no pair will run any more, by the rounds that are left; the run's thread writes it. */
    private volatile Instant lastEnd;

    private final Instant start = Instant.now();
    private final double secondsAtStart;

    /** Of the thread that prints. */
    private @Nullable Machine machine;

    private Duration used = Duration.ZERO;
    private Set<Long> children = Set.of();
    private String busy = "";

    /**
     * Begins to tell.
     *
     * @param soFar what a journal says until now; empty for nothing
     */
    LiveLine(PrintStream out, boolean terminal, Journal journal, Instant deadline, Function<Journal, String> soFar) {
        this.out = out;
        this.terminal = terminal;
        this.journal = journal;
        this.deadline = deadline;
        this.soFar = soFar;
        Duration left = Duration.between(Instant.now(), deadline);
        double round = journal.header().comparisons().stream()
                .mapToDouble(Comparison::roundSeconds)
                .sum();
        this.mostPairs = (int) Math.max(1, Math.min(journal.header().mostPairs(), left.toSeconds() / round));
        int seconds = terminal ? TERMINAL_SECONDS : OTHER_SECONDS;
        this.secondsAtStart = secondsOfRoundsLeft();
        this.lastEnd = lastEnd(1);
        Object unused = ticker.scheduleWithFixedDelay(this::tick, seconds, seconds, TimeUnit.SECONDS);
    }

    /** Whether the standard error is a terminal that understands ANSI codes. */
    static boolean isTerminal() {
        return Ansi.AUTO.enabled();
    }

    @Override
    public void doing(Comparison comparison, int round, String what) {
        boolean several = journal.header().comparisons().size() > 1;
        doing = (several ? comparison.name() + ", " : "") + "pair " + (round + 1) + " of "
                + Math.max(round + 1, mostPairs) + ", " + what;
    }

    @Override
    public void measured(Comparison comparison, Journal.Measured measured) {
        List<Standing> standings = Standing.all(
                journal,
                comparison.trials().stream()
                        .filter(trial -> trial.cell().equals(measured.cell()))
                        .toList());
        for (Standing standing : standings) {
            Standing.Side best = standing.sides().get(0);
            known = ", " + best.name() + " " + best.text();
            say(measured.cell() + ": " + standing.text());
        }
        double planned = secondsAtStart - secondsOfRoundsLeft();
        double passed = Duration.between(start, Instant.now()).toMillis() / 1e3;
        lastEnd = lastEnd(planned > 0 ? Math.max(1, passed / planned) : 1);
        boolean last = measured.cell()
                .equals(comparison.cells().get(comparison.cells().size() - 1).name());
        String found = last && !journal.header().isSmokeRun() ? soFar.apply(journal) : "";
        if (!found.isEmpty()) {
            say("So far: " + found);
        }
    }

    /** What all rounds take that may still begin. */
    private double secondsOfRoundsLeft() {
        return journal.header().comparisons().stream()
                .mapToDouble(comparison -> comparison.roundSeconds()
                        * Math.max(0, journal.header().mostPairs() - journal.rounds(comparison)))
                .sum();
    }

    /** The end of the last round, if rounds take that many times the planned time. The plan of work that is done once has no time for it. */
    private Instant lastEnd(double slower) {
        return journal.header().comparisons().stream()
                        .anyMatch(comparison -> comparison.engine().isOnce())
                ? deadline
                : Instant.now().plusMillis((long) (1000 * slower * secondsOfRoundsLeft()));
    }

    @Override
    public void failed(String failure) {
        say("failed: " + failure);
    }

    /** A line that stays. */
    private synchronized void say(String line) {
        out.println((terminal ? AGAIN : "") + String.join(System.lineSeparator(), Terminal.wrapped(line)));
        if (terminal) {
            out.print(text());
            out.flush();
        }
    }

    /** Shows the current step. */
    synchronized void tick() {
        observe();
        if (terminal) {
            out.print(AGAIN + text());
        } else {
            out.println(text());
        }
        out.flush();
    }

    private String text() {
        Instant end = lastEnd.isBefore(deadline) ? lastEnd : deadline;
        long left = Duration.between(Instant.now(), end).toSeconds();
        String time = left <= 0
                ? "finishing this pair"
                : "at most " + (left > 600 ? left / 60 + " min left" : left + " s left"); // it may be decided sooner
        String line = doing + ", " + time + busy + known;
        return terminal && line.length() > Terminal.WIDTH ? line.substring(0, Terminal.WIDTH) : line;
    }

    /** How much of the machine others have used since the last time. */
    private void observe() {
        try {
            Set<Long> now = processes().map(ProcessHandle::pid).collect(Collectors.toSet());
            Duration cpu = processes()
                    .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                    .reduce(Duration.ZERO, Duration::plus);
            if (machine != null && now.containsAll(children)) {
                machine.since(cpu.minus(used)).ifPresent(load -> busy = ", machine " + load.percent() + " % busy");
            }
            machine = Machine.watch(Machine.PROC);
            used = cpu;
            children = now;
        } catch (IOException e) {
            busy = "";
        }
    }

    private static Stream<ProcessHandle> processes() {
        ProcessHandle self = ProcessHandle.current();
        return Stream.concat(Stream.of(self), self.descendants());
    }

    /** Ends the line that changes. */
    @Override
    public void close() {
        ticker.shutdownNow();
        synchronized (this) {
            if (terminal) {
                out.print(AGAIN);
                out.flush();
            }
        }
    }
}
