package dev.buffers.bench.claims;

import dev.buffers.bench.duet.Cell;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Match.Engine;
import dev.buffers.bench.duet.Match.Pace;
import dev.buffers.bench.duet.PassContestant;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Trial;
import dev.buffers.bench.duet.Variant;
import dev.buffers.bench.jvm.Footprint;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads a row of a table of claims. Its first line is {@code ID: statement}; each line that follows is one of these:
 *
 * <pre>
 * then: WORDS             what was measured then
 * since: WORDS            what the JDK has changed since
 * needs: WORDS            what has to be here: for the whole row, or for the match that has begun
 * jmh: WORK as NAME: GRID against GRID
 *                         begins a match of a JMH benchmark. Each combination of the first parameters is a challenger of the second.
 *                         A row with two matches of one benchmark names them, and so do rows that share one
 * http: ...               the same of web servers, whose work is a load; framework and echo are the other kinds of server
 * pass: ...               the same of what is done once, by a class; burst is what a framework's server keeps of a burst
 * compare: GRID against GRID
 *                         other challengers for the cells that follow; "bar" before the first: a bar, what the base is to keep below
 * load: LOAD              another load for the cells that follow
 * jvm: OPTIONS            of all sides
 * turns: QUADS x MILLIS   of another number and length
 * asks: QUESTION          about the cells that follow: either, better 1.5, within 1.05, at-most 1.05; "base" before it: of the base
 * figures: NAMES          that are compared in the cells that follow; cpu if there is no such line
 * shapes: NAMES           in which the caller of each cell is compiled
 * scaled: NAME UNIT       that parameter of the base says how much an operation of it does; one of the challenger's does UNIT
 * decide: GRID; GRID      cells that decide the row
 * more: GRID; GRID        cells that are played on request
 * </pre>
 *
 * The words jvm, asks, figures and shapes hold until they are said anew. A cell's parameter that begins with {@code base.} is the base's
 * alone.
 */
final class Row {
    private static final String PASSES = "dev.buffers.bench.";
    private static final String OF_BASE = "base.";
    private static final String CONTENDER = "contender";
    private static final String SHAPE = "shape";

    /** Turns in a campaign of many rows. */
    private static final Pace PACE = Pace.USUAL.turns(8, 20);

    private final Claim.Source source;
    private final String id;
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
    private Variant base = new Variant("base", Map.of());
    private List<Variant> challengers = List.of();
    private final Set<Variant> playing = new LinkedHashSet<>();
    private Question question = Question.of("better");
    private List<String> figures = List.of(Trial.CPU);
    private String shapes = "";
    private String scaled = "";
    private double unit = 1;
    private boolean dropped;
    private final Map<Cell, List<Trial>> cells = new LinkedHashMap<>();

    private Row(Claim.Source source, String text) {
        List<String[]> lines =
                text.lines().map(line -> line.strip().split(": *", 2)).toList();
        this.source = source;
        this.id = lines.get(0)[0];
        this.statement = lines.get(0)[1];
        lines.stream().skip(1).forEach(line -> read(line[0], line[1]));
    }

    /** Reads rows that empty lines divide. */
    static List<Claim> read(Claim.Source source, String text) {
        return Arrays.stream(text.strip().split("\n\n+"))
                .map(row -> new Row(source, row).end())
                .toList();
    }

    private void read(String word, String value) {
        String[] words = value.split(" +", -1);
        switch (word) {
            case "then" -> then = value;
            case "since" -> since = value;
            case "needs" -> needs(value);
            case "jmh", "http", "framework", "echo", "pass", "burst" ->
                match(Engine.valueOf(word.toUpperCase(Locale.ROOT)), value.split(": ", 2));
            case "load" -> work = value;
            case "jvm" -> jvm = List.of(words);
            case "turns" -> pace = pace.turns(Integer.parseInt(words[0]), Integer.parseInt(words[2]));
            case "compare" -> compare(value);
            case "asks" -> question = Question.of(value);
            case "figures" -> figures = List.of(words);
            case "shapes" -> shapes = " " + SHAPE + "=" + String.join(",", words);
            case "scaled" -> {
                scaled = words[0];
                unit = Double.parseDouble(words[1]);
            }
            case "decide", "more" -> cells(word.equals("decide"), Stream.of(value.split("; ", -1)));
            default -> throw new IllegalArgumentException(id + ": no such word: " + word);
        }
    }

    private void needs(String what) {
        String lacking = switch (what) {
            case "virtual threads" -> VirtualThreads.obstacle().orElse("");
            case "a resident set" ->
                Files.isReadable(Footprint.STATUS) ? "" : "the resident set is read from " + Footprint.STATUS;
            case "a little-endian machine" ->
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "" : "this machine is not little-endian";
            default -> throw new IllegalArgumentException(id + ": no such need: " + what);
        };
        if (name.isEmpty()) {
            obstacle = lacking;
        } else {
            dropped = !lacking.isEmpty();
        }
    }

    private void match(Engine kind, String[] workAndSides) {
        endMatch();
        String[] named = workAndSides[0].split(" as ", 2);
        engine = kind;
        work = kind.isOnce() ? PASSES + named[0] : named[0];
        name = named.length > 1 ? named[1] : kind == Engine.JMH ? id + " " + work : work.replaceAll(".*\\.", "");
        pace = switch (kind) {
            case JMH -> PACE;
            case HTTP, FRAMEWORK -> Pace.SERVER.turns(10, 60);
            case ECHO -> PACE.turns(10, 60); // it has little to compile
            case PASS, BURST -> Pace.ONCE;
        };
        scaled = "";
        dropped = false;
        compare(workAndSides[1]);
    }

    private void compare(String text) {
        String[] sides = text.split(" against ", 2);
        boolean bar = sides[0].startsWith(PassContestant.BAR);
        challengers = bar
                ? List.of(new Variant(
                        PassContestant.BAR, grid(sides[0].substring(4)).get(0)))
                : grid(sides[0]).stream().map(own -> side(own, "other")).toList();
        playing.addAll(challengers);
        base = side(grid(sides[1]).get(0), "base");
    }

    private static Variant side(Map<String, String> parameters, String otherwise) {
        String contender = parameters.get(CONTENDER);
        List<String> options =
                contender == null ? List.of() : Contenders.valueOf(contender).jvmArguments();
        String called = parameters.isEmpty() ? otherwise : label(parameters);
        return new Variant(called, List.of(), options, parameters);
    }

    private void cells(boolean decide, Stream<String> grids) {
        if (dropped) {
            return;
        }
        for (Map<String, String> parameters :
                grids.flatMap(grid -> grid(grid + shapes).stream()).toList()) {
            Cell cell = cell(parameters);
            List<Trial> trials = cells.computeIfAbsent(cell, unseen -> new ArrayList<>());
            for (Variant challenger : challengers) {
                for (String figure : figures) {
                    Trial trial = trial(cell, parameters, challenger, figure);
                    if (trials.stream().noneMatch(other -> asksTheSame(other, trial))) {
                        trials.add(trial);
                    }
                    if (decide) {
                        deciding.add(Claim.key(trial));
                    }
                }
            }
        }
    }

    /**
     * Parameters as a row writes them: {@code sink=file,socket size=512} is all combinations of these values, each in the order of the text,
     * and {@code -} the one combination of nothing.
     */
    static List<Map<String, String>> grid(String text) {
        List<Map<String, String>> all = new ArrayList<>(List.of(Map.of()));
        for (String part : text.equals("-") ? new String[0] : text.split(" +", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("not NAME=VALUE,VALUE: " + part);
            }
            List<Map<String, String>> more = new ArrayList<>();
            for (Map<String, String> one : all) {
                for (String value : part.substring(equals + 1).split(",", -1)) {
                    Map<String, String> longer = new LinkedHashMap<>(one);
                    longer.put(part.substring(0, equals), value);
                    more.add(longer);
                }
            }
            all = more;
        }
        return all;
    }

    /** The values, for people. */
    static String label(Map<String, String> parameters) {
        return String.join(", ", parameters.values());
    }

    private Cell cell(Map<String, String> parameters) {
        Map<String, String> common = new LinkedHashMap<>();
        Map<String, String> ofBase = new LinkedHashMap<>();
        parameters.forEach((key, value) -> {
            if (key.startsWith(OF_BASE)) {
                ofBase.put(key.substring(OF_BASE.length()), value);
            } else {
                common.put(key, value);
            }
        });
        String of = engine == Engine.JMH || engine.isOnce() ? name : name + " " + work;
        return new Cell(parameters.isEmpty() ? of : of + ": " + label(parameters), work, common, ofBase);
    }

    private Trial trial(Cell cell, Map<String, String> parameters, Variant challenger, String figure) {
        Map<String, String> named = new LinkedHashMap<>(parameters);
        String shape = named.remove(SHAPE);
        List<String> called = new ArrayList<>();
        if (challengers.size() > 1 || named.isEmpty()) {
            called.add(question.ofBase() ? "against " + challenger.name() : challenger.name());
        }
        if (!named.isEmpty()) {
            called.add(label(named));
        }
        if (!figure.equals(Trial.CPU)) {
            called.add(figure);
        }
        return new Trial(
                String.join(", ", called),
                shape == null ? "" : shape,
                cell.name(),
                challenger.name(),
                figure,
                scaled.isEmpty() ? 1 : Double.parseDouble(cell.ofBase().getOrDefault(scaled, "1")) / unit,
                question);
    }

    private static boolean asksTheSame(Trial one, Trial other) {
        return Claim.key(one).equals(Claim.key(other)) && one.question().equals(other.question());
    }

    private void endMatch() {
        if (!cells.isEmpty()) {
            List<Trial> trials = cells.values().stream().flatMap(List::stream).toList();
            matches.add(new Match(
                    name, engine, pace, jvm, base, List.copyOf(playing), List.copyOf(cells.keySet()), trials));
            cells.clear();
        }
        playing.clear();
    }

    private Claim end() {
        endMatch();
        if (matches.size() > 1) {
            matches.replaceAll(Row::labelled);
        }
        return new Claim(id, source, statement, then, since, obstacle, matches, deciding);
    }

    /** Its trials say of which match they are. */
    private static Match labelled(Match match) {
        return match.only(
                match.cells(),
                match.trials().stream()
                        .map(trial -> trial.labelled(match.name() + ": " + trial.label()))
                        .toList());
    }
}
