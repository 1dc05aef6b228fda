package dev.buffers.bench.claims;

import dev.buffers.bench.duet.Cell;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Match.Engine;
import dev.buffers.bench.duet.Match.Pace;
import dev.buffers.bench.duet.PassContestant;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Trial;
import dev.buffers.bench.duet.Variant;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes a row of a table of claims. Words first, then for each match {@link #match}, {@link #compare}, what else there is to say
 * of it, and its cells. A cell's parameter that begins with {@code base.} is the base's alone.
 */
public final class Row {
    private static final String OF_BASE = "base.";
    private static final String CONTENDER = "contender";
    private static final String SHAPE = "shape";

    /** Turns in a campaign of many rows. */
    private static final Pace PACE = new Pace(10, 20, Pace.USUAL.warmMillis(), Pace.USUAL.quietMillis());

    private static final Pace SERVER_PACE = new Pace(10, 60, Pace.SERVER.warmMillis(), Pace.SERVER.quietMillis());

    /** An echo server has little to compile. */
    private static final Pace ECHO_PACE = new Pace(10, 60, PACE.warmMillis(), PACE.quietMillis());

    private final String id;
    private final Claim.Source source;
    private final String statement;
    private String then = "not measured";
    private String since = "";
    private String obstacle = "";
    private final List<Match> matches = new ArrayList<>();
    private final Set<String> deciding = new LinkedHashSet<>();

    private String name = "";
    private Engine engine = Engine.JMH;
    private String work = "";
    private Pace pace = PACE;
    private List<String> jvm = List.of();
    private Variant base = side(Map.of(), "base");
    private List<Variant> challengers = List.of();
    private final Set<Variant> playing = new LinkedHashSet<>();
    private Question question = Question.better();
    private List<String> figures = List.of(Trial.CPU);
    private boolean shapes;
    private String scaled = "";
    private double unit = 1;
    private final Map<Cell, List<Trial>> cells = new LinkedHashMap<>();

    private Row(String id, Claim.Source source, String statement) {
        this.id = id;
        this.source = source;
        this.statement = statement;
    }

    /** Begins one. */
    public static Row of(String id, Claim.Source source, String statement) {
        return new Row(id, source, statement);
    }

    /** What was measured then. */
    public Row then(String text) {
        then = text;
        return this;
    }

    /** What the JDK has changed since. */
    public Row since(String text) {
        since = text;
        return this;
    }

    /** Why it cannot be measured here; empty when it can. */
    public Row unless(String why) {
        obstacle = why;
        return this;
    }

    /** Begins a match of JMH benchmarks. */
    public Row jmh(String benchmark) {
        return match(Engine.JMH, id + " " + benchmark, benchmark, PACE);
    }

    /** Begins a match of servers, at a load. */
    public Row server(Engine kind, String match, String load) {
        return match(kind, match, load, kind == Engine.ECHO ? ECHO_PACE : SERVER_PACE);
    }

    /** Begins a match of what is done once, by the class of that name. */
    public Row once(Engine kind, Class<?> pass) {
        return match(kind, pass.getSimpleName(), pass.getName(), Pace.ONCE);
    }

    private Row match(Engine kind, String match, String what, Pace usual) {
        endMatch();
        name = match;
        engine = kind;
        work = what;
        pace = usual;
        jvm = List.of();
        question = Question.better();
        figures = List.of(Trial.CPU);
        shapes = false;
        scaled = "";
        return this;
    }

    /** Calls the match so: a row with two of one benchmark has to, and rows that share one. */
    public Row named(String match) {
        name = match;
        return this;
    }

    /** Another load for the cells that follow. */
    public Row load(String other) {
        work = other;
        return this;
    }

    /** Who plays, as parameters: each combination of the first is a challenger of the second. */
    public Row compare(String challenging, String with) {
        challengers = Grid.of(challenging).stream()
                .map(parameters -> side(parameters, "other"))
                .toList();
        playing.addAll(challengers);
        base = side(Grid.of(with).get(0), "base");
        return this;
    }

    /** The challenger is a bar, what the base is to keep below, by these figures. */
    public Row bar(String bars, String with) {
        base = side(Grid.of(with).get(0), "base");
        challengers = List.of(new Variant(
                PassContestant.BAR, List.of(), List.of(), Grid.of(bars).get(0)));
        playing.addAll(challengers);
        return this;
    }

    private static Variant side(Map<String, String> parameters, String otherwise) {
        String contender = parameters.get(CONTENDER);
        List<String> options =
                contender == null ? List.of() : Contenders.valueOf(contender).jvmArguments();
        String called = parameters.isEmpty() ? otherwise : Grid.label(parameters);
        return new Variant(called, List.of(), options, parameters);
    }

    /** Options of all sides. */
    public Row jvm(String... options) {
        jvm = List.of(options);
        return this;
    }

    /** Turns of another number and length. */
    public Row pace(int quads, int sliceMillis) {
        pace = new Pace(quads, sliceMillis, pace.warmMillis(), pace.quietMillis());
        return this;
    }

    /** Sets the question for the cells that follow. The default: is the challenger better? */
    public Row asks(Question other) {
        question = other;
        return this;
    }

    /** Sets the figure that is compared in the cells that follow. The default is CPU time. */
    public Row figures(String... names) {
        figures = List.of(names);
        return this;
    }

    /** Each cell is played in both shapes of its caller. */
    public Row inShapes() {
        shapes = true;
        return this;
    }

    /** The base's parameter of that name says how much an operation of it does, in units of what one of the challenger's does. */
    public Row scaled(String parameter, double ofChallenger) {
        scaled = parameter;
        unit = ofChallenger;
        return this;
    }

    /** Cells that decide the row. */
    public Row decide(String... grids) {
        return cells(true, grids);
    }

    /** Cells that are played on request. */
    public Row more(String... grids) {
        return cells(false, grids);
    }

    private Row cells(boolean decide, String... grids) {
        for (String grid : grids) {
            for (Map<String, String> parameters : Grid.of(grid + (shapes ? " shape=inlined,called" : ""))) {
                Map<String, String> common = new LinkedHashMap<>(parameters);
                Map<String, String> ofBase = new LinkedHashMap<>();
                parameters.forEach((key, value) -> {
                    if (key.startsWith(OF_BASE)) {
                        common.remove(key);
                        ofBase.put(key.substring(OF_BASE.length()), value);
                    }
                });
                add(parameters, new Cell(cellName(parameters), work, common, ofBase), decide);
            }
        }
        return this;
    }

    private String cellName(Map<String, String> parameters) {
        String of = engine == Engine.JMH || engine == Engine.PASS || engine == Engine.BURST ? name : name + " " + work;
        return parameters.isEmpty() ? of : of + ": " + Grid.label(parameters);
    }

    private void add(Map<String, String> parameters, Cell cell, boolean decide) {
        Map<String, String> named = new LinkedHashMap<>(parameters);
        String shape = named.remove(SHAPE);
        List<Trial> trials = cells.computeIfAbsent(cell, unseen -> new ArrayList<>());
        double scale = scaled.isEmpty() ? 1 : Double.parseDouble(cell.ofBase().getOrDefault(scaled, "1")) / unit;
        for (Variant challenger : challengers) {
            for (String figure : figures) {
                List<String> label = new ArrayList<>();
                if (challengers.size() > 1 || named.isEmpty()) {
                    label.add(question.ofBase() ? "against " + challenger.name() : challenger.name());
                }
                if (!named.isEmpty()) {
                    label.add(Grid.label(named));
                }
                if (!figure.equals(Trial.CPU)) {
                    label.add(figure);
                }
                Trial trial = new Trial(
                        String.join(", ", label),
                        shape == null ? "" : shape,
                        cell.name(),
                        challenger.name(),
                        figure,
                        scale,
                        question);
                if (trials.stream().noneMatch(other -> asksTheSame(other, trial))) {
                    trials.add(trial);
                }
                if (decide) {
                    deciding.add(Claim.key(trial));
                }
            }
        }
    }

    private static boolean asksTheSame(Trial one, Trial other) {
        return one.challenger().equals(other.challenger())
                && one.figure().equals(other.figure())
                && one.question().equals(other.question());
    }

    private void endMatch() {
        if (!cells.isEmpty()) {
            matches.add(new Match(
                    name,
                    engine,
                    pace,
                    jvm,
                    base,
                    List.copyOf(playing),
                    List.copyOf(cells.keySet()),
                    cells.values().stream().flatMap(List::stream).toList()));
            cells.clear();
        }
        playing.clear();
    }

    /** The row. */
    public Claim end() {
        endMatch();
        List<Match> labelled = matches.size() == 1
                ? matches
                : matches.stream().map(Row::labelled).toList();
        return new Claim(id, source, statement, then, since, obstacle, labelled, deciding);
    }

    /** Its trials say of which match they are. */
    private static Match labelled(Match match) {
        List<Trial> trials = match.trials().stream()
                .map(trial -> new Trial(
                        match.name() + ": " + trial.label(),
                        trial.shape(),
                        trial.cell(),
                        trial.challenger(),
                        trial.figure(),
                        trial.scale(),
                        trial.question()))
                .toList();
        return match.only(match.cells(), trials);
    }
}
