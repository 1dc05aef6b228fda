package dev.buffers.bench.duet;

import dev.buffers.bench.duet.Contestant.Slices;
import dev.buffers.bench.duet.Contestant.Turn;
import dev.buffers.bench.duet.Contestant.Warmth;
import dev.buffers.bench.duet.Journal.Played;
import dev.buffers.bench.duet.Journal.Slice;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Lets resident JVMs take turns until it is decided which costs less. A round starts new JVMs, one for the base and one for
 * each challenger, and plays the cells one after another: base, challengers, and back again, in slices of milliseconds, which makes
 * a quad (base, challenger, challenger, base) for each challenger. What drifts over a quad falls on all alike. A server's turn that follows
 * its own is up to a tenth cheaper, because the caches are warm; so with several challengers the order is another in each quad.
 * Rounds follow until the looks have decided every trial, or the time is over: first every match gets as many as the first look needs. Then
 * comes always the match that is decided soonest if its JVMs go on to say what they say, and after these the one whose next look is the
 * earliest. Where trials decide a row together, those of a decided row get no more than the first look needs; and if a row is open though each of its trials is decided, its doubt being shared among them, they all play on.
 */
public final class Duet {
    /** The process clock moves in steps of 10 ms; a slice by that clock has fifty of them. */
    private static final int PROCESS_CLOCK_MILLIS = 500;

    private static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final Journal journal;
    private final List<List<Trial>> rows;
    private final Opener opener;
    private final Consumer<String> log;
    private final InstantSource clock;
    private final Map<Match, Integer> begun = new HashMap<>();
    private final Map<Match, Duration> lastRound = new HashMap<>();
    private final Set<Contestant> open = ConcurrentHashMap.newKeySet();
    private int nextPair;
    private volatile boolean stopped;

    @FunctionalInterface
    public interface Opener {
        Contestant open(Match match, Variant side) throws IOException, InterruptedException;
    }

    private record Player(Variant side, Contestant contestant) {}

    /**
     * What may be played after the first look.
     *
     * @param look up to which
     * @param time that this takes
     * @param decision the time until something is decided, if all goes on as it does; {@link #NEVER} if nothing is, or too late
     */
    private record Next(Match match, int look, Duration time, Duration decision) {}

    /** One in which each trial is decided by itself. */
    Duet(Journal journal, Opener opener, Consumer<String> log) {
        this(journal, List.of(), opener, log, InstantSource.system());
    }

    /**
     * One that has not begun.
     *
     * @param rows trials that decide a row together, as far as there are any
     */
    public Duet(Journal journal, List<List<Trial>> rows, Opener opener, Consumer<String> log, InstantSource clock) {
        this.journal = journal;
        this.rows = rows;
        this.opener = opener;
        this.log = log;
        this.clock = clock;
        this.nextPair = journal.nextPair();
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
        for (Match match : journal.header().matches()) {
            playTo(Looks.FIRST, match, deadline);
        }
        Optional<Next> next = next(deadline);
        while (next.isPresent()) {
            playTo(next.get().look, next.get().match, deadline);
            next = next(deadline);
        }
    }

    private void playTo(int look, Match match, Instant deadline) throws IOException, InterruptedException {
        List<Trial> undecided = undecided(match, look);
        while (!undecided.isEmpty() && begun.getOrDefault(match, 0) < most(look) && hasTime(deadline)) {
            Instant begin = clock.instant();
            playRound(match, undecided);
            lastRound.put(match, Duration.between(begin, clock.instant()));
            undecided = undecided(match, look);
        }
    }

    private boolean hasTime(Instant deadline) {
        return !stopped && clock.instant().isBefore(deadline);
    }

    private Optional<Next> next(Instant deadline) {
        if (!hasTime(deadline)) {
            return Optional.empty();
        }
        Duration left = Duration.between(clock.instant(), deadline);
        return journal.header().matches().stream()
                .map(match -> next(match, left))
                .flatMap(Optional::stream)
                .filter(next -> next.time.compareTo(left) <= 0)
                .min(Comparator.comparing(Next::decision)
                        .thenComparingInt(Next::look)
                        .thenComparing(Next::time));
    }

    private Optional<Next> next(Match match, Duration left) {
        List<Trial> undecided = undecided(match, Looks.LAST);
        int counted = undecided.stream()
                .mapToInt(trial -> Score.of(journal, trial).counted())
                .min()
                .orElse(Looks.LAST);
        Duration round = lastRound.getOrDefault(match, Duration.ofMillis(Math.round(1e3 * match.roundSeconds())));
        Duration decision = Looks.PAIRS.stream()
                .filter(look -> look > counted && look >= journal.header().leastPairs())
                .filter(look -> undecided.stream().anyMatch(trial -> decides(trial, look)))
                .map(look -> round.multipliedBy(look - counted))
                .filter(time -> time.compareTo(left) <= 0)
                .findFirst()
                .orElse(NEVER);
        return Looks.PAIRS.stream()
                .filter(look -> look > counted && begun.getOrDefault(match, 0) < most(look))
                .findFirst()
                .map(look -> new Next(match, look, round.multipliedBy(look - counted), decision));
    }

    /** Whether a trial, or a row that it is in, is decided at a look if all goes on as it does. */
    private boolean decides(Trial trial, int look) {
        boolean itself = after(look, trial).verdict() != Verdict.OPEN;
        List<List<Trial>> its = rows.stream().filter(row -> row.contains(trial)).toList();
        return its.isEmpty()
                ? itself
                : its.stream()
                        .anyMatch(row -> Verdict.ofScores(row.stream()
                                        .map(other -> after(look, other))
                                        .toList())
                                .map(found -> found.verdict().isDecided())
                                .orElse(itself));
    }

    private Score after(int look, Trial trial) {
        return Score.of(journal, trial).after(look);
    }

    /** What has to be played on before a look. */
    private List<Trial> undecided(Match match, int look) {
        return match.trials().stream().filter(trial -> isWanted(trial, look)).toList();
    }

    private boolean isWanted(Trial trial, int look) {
        Score score = Score.of(journal, trial);
        int least = journal.header().leastPairs();
        boolean open = !score.isDecided(least);
        List<List<Trial>> its = rows.stream().filter(row -> row.contains(trial)).toList();
        if (score.counted() >= look) {
            return false;
        }
        return score.counted() < Math.max(Looks.FIRST, least) || its.isEmpty()
                ? open
                : its.stream().anyMatch(row -> playsOn(row, open));
    }

    /** Whether a row needs more of a trial that is {@code open} or decided. */
    private boolean playsOn(List<Trial> row, boolean open) {
        List<Score> all = row.stream().map(trial -> Score.of(journal, trial)).toList();
        Optional<Verdict.Finding> found = Verdict.ofScores(all);
        if (found.isEmpty()) {
            return open; // nothing is claimed
        }
        return !found.get().verdict().isDecided() && (open || all.stream().allMatch(this::isSettled));
    }

    /** Whether it is decided, and not given up. */
    private boolean isSettled(Score score) {
        return score.isDecided(journal.header().leastPairs()) && score.verdict() != Verdict.OPEN;
    }

    /** Half as many rounds again as a look needs, for those that others disturb. */
    private int most(int look) {
        return Math.min(journal.header().mostPairs(), look + (look + 1) / 2);
    }

    private void playRound(Match match, List<Trial> undecided) throws IOException, InterruptedException {
        int round = begun.merge(match, 1, Integer::sum) - 1;
        Map<Cell, List<Variant>> cells = challengers(match, undecided);
        List<Variant> sides = new ArrayList<>(List.of(match.base()));
        cells.values().stream().flatMap(List::stream).distinct().forEach(sides::add);
        if (round % 2 == 1) {
            Collections.reverse(sides); // the one that starts first may have it better, or worse
        }
        List<Player> players = new ArrayList<>();
        int pair = nextPair++;
        try {
            for (Variant side : sides) {
                Contestant contestant = opener.open(match, side);
                players.add(new Player(side, contestant));
                open.add(contestant);
                if (stopped) {
                    throw new IOException("stopped");
                }
            }
            for (Map.Entry<Cell, List<Variant>> cell : cells.entrySet()) {
                List<Player> playing = new ArrayList<>(players);
                playing.removeIf(player ->
                        !player.side.equals(match.base()) && !cell.getValue().contains(player.side));
                Collections.rotate(playing, playing.size() > 2 ? round : 0);
                Machine machine = Machine.watch(Machine.PROC);
                Duration before = cpu(players);
                Played played = play(match, cell.getKey(), playing, pair);
                Optional<Machine.Load> load = machine.since(cpu(players).minus(before));
                journal.add(played.beside(load.orElse(null)));
                tell(match, played, load.map(Machine.Load::percent).orElse("unknown"));
            }
        } catch (IOException | RuntimeException e) {
            if (!stopped) {
                String failure = match.name() + ": " + e.getMessage();
                begun.put(match, Integer.MAX_VALUE); // no further round
                journal.addFailure(failure);
                log.accept("failed: " + failure);
            }
        } finally {
            for (Player player : players) {
                player.contestant.close();
                open.remove(player.contestant);
            }
        }
    }

    /** Whom the base plays in each cell, the control among them. */
    private Map<Cell, List<Variant>> challengers(Match match, List<Trial> undecided) {
        Map<Cell, List<Variant>> all = new LinkedHashMap<>();
        for (Cell cell : match.cells()) {
            List<String> names = undecided.stream()
                    .filter(trial -> trial.cell().equals(cell.name()))
                    .map(Trial::challenger)
                    .toList();
            List<Variant> challengers = new ArrayList<>(match.challengers());
            challengers.removeIf(side -> !names.contains(side.name()));
            if (!challengers.isEmpty()) {
                if (journal.header().controlled().contains(cell.name())) {
                    challengers.add(match.base().as(Match.CONTROL));
                }
                all.put(cell, challengers);
            }
        }
        return all;
    }

    /** One cell of one round. As many contestants warm up at once as the match allows: that is not measured. */
    private Played play(Match match, Cell cell, List<Player> order, int pair) throws IOException, InterruptedException {
        Map<String, Warmth> warmth = new LinkedHashMap<>();
        int atOnce = Math.min(order.size(), match.atOnce());
        for (int from = 0; from < order.size(); from += atOnce) {
            List<Player> some = order.subList(from, Math.min(order.size(), from + atOnce));
            for (Player player : some) {
                player.contestant.begin(cell, match.parameters(cell, player.side));
            }
            for (Player player : some) {
                warmth.put(player.side.name(), player.contestant.warmed());
            }
        }
        boolean threadClock = warmth.values().stream().allMatch(Warmth::threadClock);
        int millis = Math.max(match.pace().sliceMillis(), threadClock ? 0 : PROCESS_CLOCK_MILLIS);
        Slices slices = new Slices(2 * match.pace().quads(), millis, threadClock);
        for (Player player : order) {
            player.contestant.prepare(slices);
        }
        for (Player player : order) {
            player.contestant.ready();
        }
        for (int quad = 0; quad < match.pace().quads(); quad++) {
            Collections.rotate(order, order.size() > 2 ? 1 : 0);
            for (int turn = 0; turn < 2 * order.size(); turn++) {
                Player player = order.get(turn < order.size() ? turn : 2 * order.size() - 1 - turn);
                boolean base = player.side.equals(match.base());
                Turn did = player.contestant.slice();
                journal.add(new Slice(pair, cell.name(), player.side.name(), quad, base, did));
            }
        }
        boolean agreed = true;
        for (Player player : order) {
            agreed &= player.contestant.finished();
        }
        return new Played(pair, cell.name(), warmth, agreed, null);
    }

    private static Duration cpu(List<Player> players) {
        Duration sum = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        for (Player player : players) {
            sum = sum.plus(player.contestant.cpu());
        }
        return sum;
    }

    private void tell(Match match, Played played, String others) {
        for (Trial trial : match.trials()) {
            if (trial.cell().equals(played.cell()) && played.warmth().containsKey(trial.challenger())) {
                Score score = Score.of(journal, trial);
                log.accept(String.format(
                        Locale.ROOT,
                        "%s: %s, %s, %d pairs, others %s: cost to the base's %s, %s",
                        match.name(),
                        trial.cell(),
                        trial.figure().equals(Trial.CPU)
                                ? trial.challenger()
                                : trial.challenger() + " " + trial.figure(),
                        score.counted(),
                        others,
                        score.cost().isKnown() ? score.cost().text() : "unknown",
                        score.verdict()));
            }
        }
    }
}
