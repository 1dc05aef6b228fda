package dev.buffers.bench.duet;

import static java.util.Objects.requireNonNull;

import dev.buffers.bench.duet.Contestant.Slices;
import dev.buffers.bench.duet.Contestant.Warmth;
import dev.buffers.bench.duet.Journal.Played;
import dev.buffers.bench.duet.Journal.Slice;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Lets resident JVMs take turns until it is decided which costs less. A round starts new JVMs, one for the base and one for
 * each challenger, and plays the cells one after another: base, challengers, and back again, in slices of milliseconds, which makes
 * a quad (base, challenger, challenger, base) for each challenger. What drifts over a quad falls on all alike. A server's turn that follows
 * its own is up to a tenth cheaper, because the caches are warm; so with several challengers the order is another in each quad.
 * Rounds follow until the looks have decided every trial, or the time is over: first every match gets as many as the first look needs, then
 * those that are open as many as the second, and so on.
 */
public final class Duet {
    /** The process clock moves in steps; a slice by that clock has at least so many of them. */
    private static final int STEPS_A_SLICE = 50;

    private final Journal journal;
    private final Opener opener;
    private final Consumer<String> log;
    private final InstantSource clock;
    private final Map<Match, Integer> begun = new HashMap<>();
    private final Map<Match, Duration> lastRound = new HashMap<>();
    private final Set<Match> failed = new HashSet<>();
    private final Set<Contestant> open = ConcurrentHashMap.newKeySet();
    private int rounds;
    private volatile boolean stopped;

    /** Starts the JVM of a side. */
    @FunctionalInterface
    public interface Opener {
        Contestant open(Match match, Variant side) throws IOException, InterruptedException;
    }

    public Duet(Journal journal, Opener opener, Consumer<String> log) {
        this(journal, opener, log, InstantSource.system());
    }

    Duet(Journal journal, Opener opener, Consumer<String> log, InstantSource clock) {
        this.journal = journal;
        this.opener = opener;
        this.log = log;
        this.clock = clock;
        this.rounds = journal.nextPair();
    }

    /** Ends {@link #play} at once; what was played to its end counts. From any thread. */
    public void stop() {
        stopped = true;
        open.forEach(Contestant::close);
    }

    public boolean isStopped() {
        return stopped;
    }

    /**
     * Plays all matches. What fails ends its match and is in the journal. After the first look a match plays on only if the time is enough
     * for its next one.
     *
     * @param deadline when no further round begins
     */
    public void play(Instant deadline) throws IOException, InterruptedException {
        for (int look : Looks.all()) {
            for (Match match : journal.header().matches()) {
                Map<Cell, List<Variant>> undecided = undecided(match, look);
                while (!undecided.isEmpty()
                        && !failed.contains(match)
                        && begun.getOrDefault(match, 0) < most(look)
                        && reaches(match, undecided, look, deadline)) {
                    if (stopped || !clock.instant().isBefore(deadline)) {
                        return;
                    }
                    Instant begin = clock.instant();
                    playRound(match, undecided);
                    lastRound.put(match, Duration.between(begin, clock.instant()));
                    undecided = undecided(match, look);
                }
            }
        }
    }

    /** Whether there is time for the rounds up to a look, if each takes as long as the last one did. */
    private boolean reaches(Match match, Map<Cell, List<Variant>> undecided, int look, Instant deadline) {
        Duration round = lastRound.get(match);
        if (look == Looks.FIRST || round == null) {
            return true;
        }
        int counted = match.trials().stream()
                .filter(trial -> undecided.entrySet().stream()
                        .anyMatch(cell -> cell.getKey().name().equals(trial.cell())
                                && cell.getValue().stream()
                                        .anyMatch(side -> side.name().equals(trial.challenger()))))
                .mapToInt(trial -> Score.of(journal, trial).counted())
                .min()
                .orElse(look);
        return !clock.instant().plus(round.multipliedBy(look - counted)).isAfter(deadline);
    }

    /** Half as many rounds again as a look needs, for those that others disturb. */
    private int most(int look) {
        return Math.min(journal.header().pairs().most(), look + (look + 1) / 2);
    }

    private void playRound(Match match, Map<Cell, List<Variant>> cells) throws IOException, InterruptedException {
        try {
            play(match, cells, begun.merge(match, 1, Integer::sum) - 1);
        } catch (IOException | RuntimeException e) {
            if (!stopped) {
                String failure = match.name() + ": " + e.getMessage();
                failed.add(match);
                journal.addFailure(failure);
                log.accept("failed: " + failure);
            }
        }
    }

    /** Whom the base still has to play in each cell before a look: who is not decided, and then the control too. */
    private Map<Cell, List<Variant>> undecided(Match match, int look) {
        Map<Cell, List<Variant>> all = new LinkedHashMap<>();
        for (Cell cell : match.cells()) {
            List<Variant> challengers = new ArrayList<>(match.challengers());
            challengers.removeIf(challenger -> match.trials().stream()
                    .filter(trial -> trial.cell().equals(cell.name())
                            && trial.challenger().equals(challenger.name()))
                    .map(trial -> Score.of(journal, trial))
                    .allMatch(score -> score.counted() >= look
                            || score.isDecided(journal.header().pairs().least())));
            if (!challengers.isEmpty()) {
                if (journal.header().controlled().contains(cell.name())) {
                    challengers.add(match.base().as(Match.CONTROL));
                }
                all.put(cell, challengers);
            }
        }
        return all;
    }

    private void play(Match match, Map<Cell, List<Variant>> cells, int round) throws IOException, InterruptedException {
        int pair = rounds++;
        List<Variant> sides = new ArrayList<>(List.of(match.base()));
        cells.values().stream()
                .flatMap(List::stream)
                .filter(side -> !sides.contains(side))
                .forEach(sides::add);
        if (round % 2 == 1) {
            Collections.reverse(sides); // the one that starts first may have it better, or worse
        }
        Map<String, Contestant> contestants = new LinkedHashMap<>();
        try {
            for (Variant side : sides) {
                Contestant contestant = opener.open(match, side);
                contestants.put(side.name(), contestant);
                open.add(contestant);
                if (stopped) {
                    throw new IOException("stopped");
                }
            }
            for (Map.Entry<Cell, List<Variant>> cell : cells.entrySet()) {
                Machine machine = Machine.watch(Machine.PROC);
                Duration before = cpu(contestants);
                Played played = new Game(match, cell.getKey(), cell.getValue(), contestants, pair, round).play();
                Machine.Load load =
                        machine.since(cpu(contestants).minus(before)).orElse(null);
                journal.add(new Played(pair, played.cell(), played.slices(), played.warmth(), played.agreed(), load));
                tell(match, cell.getKey(), cell.getValue(), load == null ? "unknown" : load.percent());
            }
        } finally {
            contestants.values().forEach(Contestant::close);
            open.removeAll(contestants.values());
        }
    }

    private static Duration cpu(Map<String, Contestant> contestants) {
        Duration sum = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        for (Contestant contestant : contestants.values()) {
            sum = sum.plus(contestant.cpu());
        }
        return sum;
    }

    private void tell(Match match, Cell cell, List<Variant> challengers, String others) {
        for (Trial trial : match.trials()) {
            if (trial.cell().equals(cell.name())
                    && challengers.stream().anyMatch(side -> side.name().equals(trial.challenger()))) {
                Score score = Score.of(journal, trial);
                log.accept(String.format(
                        Locale.ROOT,
                        "%s: %s, %s, %d pairs, others %s: cost to the base's %s, %s",
                        match.name(),
                        cell.name(),
                        trial.figure().equals(Trial.CPU)
                                ? trial.challenger()
                                : trial.challenger() + " " + trial.figure(),
                        score.counted(),
                        others,
                        score.cost().text(),
                        score.verdict()));
            }
        }
    }

    /** One cell of one round. */
    private final class Game {
        private final Match match;
        private final Cell cell;
        private final Map<String, Contestant> players = new LinkedHashMap<>();
        private final Map<String, Variant> sides = new HashMap<>();
        private final Map<String, Warmth> warmth = new LinkedHashMap<>();
        private final Contestant base;
        private final int pair;
        private final List<String> order;

        Game(Match match, Cell cell, List<Variant> playing, Map<String, Contestant> all, int pair, int round) {
            this.match = match;
            this.cell = cell;
            this.base = requireNonNull(all.get(match.base().name()));
            this.pair = pair;
            this.order = new ArrayList<>(List.of(match.base().name()));
            playing.forEach(side -> order.add(side.name()));
            if (round % 2 == 1) {
                Collections.reverse(order);
            }
            Collections.rotate(order, order.size() > 2 ? round : 0);
            playing.forEach(side -> sides.put(side.name(), side));
            sides.put(match.base().name(), match.base());
            all.forEach((name, contestant) -> {
                if (sides.containsKey(name)) {
                    players.put(name, contestant);
                }
            });
        }

        Played play() throws IOException, InterruptedException {
            Slices slices = warm();
            for (Contestant player : players.values()) {
                player.prepare(slices);
            }
            for (Contestant player : players.values()) {
                player.ready();
            }
            for (int quad = 0; quad < match.pace().quads(); quad++) {
                if (order.size() > 2) {
                    Collections.rotate(order, 1);
                }
                for (int turn = 0; turn < 2 * order.size(); turn++) {
                    String side = order.get(turn < order.size() ? turn : 2 * order.size() - 1 - turn);
                    Contestant player = requireNonNull(players.get(side));
                    journal.add(new Slice(pair, cell.name(), side, quad, player == base, player.slice()));
                }
            }
            boolean agreed = true;
            for (Contestant player : players.values()) {
                agreed &= player.finished();
            }
            return new Played(pair, cell.name(), slices, warmth, agreed, null);
        }

        /** All at once where they can: that is not measured. */
        private Slices warm() throws IOException, InterruptedException {
            for (Map.Entry<String, Contestant> player : players.entrySet()) {
                player.getValue().begin(cell, match.parameters(cell, requireNonNull(sides.get(player.getKey()))));
            }
            boolean threadClock = true;
            long resolutionMicros = 0;
            for (Map.Entry<String, Contestant> player : players.entrySet()) {
                Warmth is = player.getValue().warmed();
                warmth.put(player.getKey(), is);
                threadClock &= is.threadClock();
                resolutionMicros = Math.max(resolutionMicros, is.resolutionMicros());
            }
            int millis = match.pace().sliceMillis();
            if (!threadClock) {
                millis = (int) Math.max(millis, STEPS_A_SLICE * resolutionMicros / 1000);
            }
            return new Slices(2 * match.pace().quads(), millis, threadClock);
        }
    }
}
