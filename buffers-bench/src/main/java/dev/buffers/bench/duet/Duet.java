package dev.buffers.bench.duet;

import dev.buffers.bench.duet.Contestant.Slices;
import dev.buffers.bench.duet.Contestant.Warmth;
import dev.buffers.bench.duet.SliceJournal.Played;
import dev.buffers.bench.duet.SliceJournal.Slice;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets resident JVMs take turns until it is decided which costs less. A round starts new JVMs, one for the base and one for
 * each challenger, and plays the cells one after another: base, challenger, challenger, base, in slices of milliseconds, which makes
 * a quad. What drifts over a quad falls on both alike. Rounds follow until the looks have decided every comparison, or the budget is spent.
 */
public final class Duet {
    /** The base's name when it plays against itself. */
    static final String CONTROL = "control";

    /** The process clock moves in steps; a slice by that clock has at least so many of them. */
    private static final int STEPS_A_SLICE = 50;

    private final SliceJournal journal;
    private final Opener opener;
    private final Consumer<String> log;
    private int rounds;

    /** Starts the JVM of a variant that will play these cells. */
    @FunctionalInterface
    public interface Opener {
        Contestant open(Variant variant, List<Cell> cells) throws IOException;
    }

    /**
     * How much.
     *
     * @param quads of each pair of JVMs in each cell
     * @param sliceMillis how long a slice is, where CPU time is the sum over threads
     * @param rounds how often JVMs are started for a comparison at most
     * @param seconds for the cells that share their JVMs; then no further round begins
     */
    public record Plan(int quads, int sliceMillis, int rounds, long seconds) {

        /** Enough for all looks, and for half as many rounds again that others may disturb. */
        public static final Plan USUAL =
                new Plan(30, 20, Looks.LAST * 3 / 2, Duration.ofHours(12).toSeconds());
    }

    public Duet(SliceJournal journal, Opener opener, Consumer<String> log) {
        this.journal = journal;
        this.opener = opener;
        this.log = log;
    }

    /**
     * Plays cells that share their JVMs. What fails ends these cells and is in the journal.
     *
     * @param deadline when no further round begins
     */
    public void play(List<Cell> cells, Instant deadline) throws IOException, InterruptedException {
        Plan plan = journal.header().plan();
        for (int round = 0; round < plan.rounds() && Instant.now().isBefore(deadline); round++) {
            Map<Cell, List<Variant>> open = undecided(cells);
            if (open.isEmpty()) {
                return;
            }
            try {
                play(open, round);
            } catch (IOException e) {
                String failure = cells.get(0).name() + ": " + e.getMessage();
                journal.addFailure(failure);
                log.accept("failed: " + failure);
                return;
            }
        }
    }

    /** Whom the base still has to play in each cell: who is not decided, and then the control too. */
    private Map<Cell, List<Variant>> undecided(List<Cell> cells) {
        Map<Cell, List<Variant>> open = new LinkedHashMap<>();
        for (Cell cell : cells) {
            List<Variant> challengers = new ArrayList<>(journal.header().challengers());
            challengers.removeIf(challenger ->
                    Score.of(journal, cell.name(), challenger.name()).isDecided());
            if (!challengers.isEmpty()) {
                if (journal.header().controlled().contains(cell.name())) {
                    challengers.add(journal.header().base().as(CONTROL));
                }
                open.put(cell, challengers);
            }
        }
        return open;
    }

    private void play(Map<Cell, List<Variant>> cells, int round) throws IOException, InterruptedException {
        int pair = rounds++;
        List<Variant> sides = new ArrayList<>(List.of(journal.header().base()));
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
                contestants.put(side.name(), opener.open(side, List.copyOf(cells.keySet())));
            }
            for (Map.Entry<Cell, List<Variant>> cell : cells.entrySet()) {
                Machine machine = Machine.watch(Machine.PROC);
                Duration before = cpu(contestants);
                Played played = play(cell.getKey(), cell.getValue(), contestants, pair);
                Machine.Load load =
                        machine.since(cpu(contestants).minus(before)).orElse(null);
                journal.add(new Played(pair, played.cell(), played.slices(), played.warmth(), played.agreed(), load));
                tell(cell.getKey(), cell.getValue(), load);
            }
        } finally {
            contestants.values().forEach(Contestant::close);
        }
    }

    private Played play(Cell cell, List<Variant> challengers, Map<String, Contestant> contestants, int pair)
            throws IOException, InterruptedException {
        Map<String, Contestant> players = new LinkedHashMap<>(contestants);
        List<String> names = challengers.stream().map(Variant::name).toList();
        Contestant base = contestant(contestants, journal.header().base().name());
        players.entrySet().removeIf(player -> player.getValue() != base && !names.contains(player.getKey()));

        Slices slices = warm(cell, players);
        int quads = journal.header().plan().quads();
        Map<String, Warmth> warmth = new LinkedHashMap<>();
        for (Contestant player : players.values()) {
            int count = slices.count() * (player == base ? names.size() : 1);
            player.prepare(new Slices(count, slices.millis(), slices.threadClock()));
        }
        for (Map.Entry<String, Contestant> player : players.entrySet()) {
            warmth.put(player.getKey(), player.getValue().ready());
        }
        for (int quad = 0; quad < quads; quad++) {
            for (String name : names) {
                boolean first = pair % 2 == 0;
                for (boolean turnOfBase : new boolean[] {first, !first, !first, first}) {
                    Contestant player = turnOfBase ? base : contestant(contestants, name);
                    journal.add(new Slice(pair, cell.name(), name, quad, turnOfBase, player.slice()));
                }
            }
        }
        boolean agreed = true;
        for (Contestant player : players.values()) {
            agreed &= player.finished();
        }
        return new Played(pair, cell.name(), slices, warmth, agreed, null);
    }

    /** All at once: that is not measured. */
    private Slices warm(Cell cell, Map<String, Contestant> players) throws IOException, InterruptedException {
        for (Contestant player : players.values()) {
            player.begin(cell);
        }
        boolean threadClock = true;
        long resolutionMicros = 0;
        for (Contestant player : players.values()) {
            Warmth warmth = player.warmed();
            threadClock &= warmth.threadClock();
            resolutionMicros = Math.max(resolutionMicros, warmth.resolutionMicros());
        }
        int millis = journal.header().plan().sliceMillis();
        if (!threadClock) {
            millis = (int) Math.max(millis, STEPS_A_SLICE * resolutionMicros / 1000);
        }
        return new Slices(2 * journal.header().plan().quads(), millis, threadClock);
    }

    private static Contestant contestant(Map<String, Contestant> contestants, String name) throws IOException {
        Contestant contestant = contestants.get(name);
        if (contestant == null) {
            throw new IOException("not started: " + name);
        }
        return contestant;
    }

    private static Duration cpu(Map<String, Contestant> contestants) {
        Duration sum = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        for (Contestant contestant : contestants.values()) {
            sum = sum.plus(contestant.cpu());
        }
        return sum;
    }

    private void tell(Cell cell, List<Variant> challengers, Machine.@Nullable Load load) {
        for (Variant challenger : challengers) {
            Score score = Score.of(journal, cell.name(), challenger.name());
            log.accept(String.format(
                    Locale.ROOT,
                    "%s, %s: %d pairs of %d at most, others %s; CPU after %d: %s",
                    cell.name(),
                    challenger.name(),
                    score.counted(),
                    Looks.LAST,
                    load == null ? "unknown" : Math.round(100 * (load.others() + load.steal())) + " %",
                    score.cpu().pairs(),
                    DuetReport.ratio(score.cpu())));
        }
    }
}
