package dev.buffers.bench.duet;

import dev.buffers.bench.duet.Journal.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a figure of something that is done once changed, second by second. In the journal these are figures with the second in their names:
 * {@code resident@00}, {@code resident@01}.
 *
 * @param side whose figure it is
 * @param figure its name without the second
 * @param medians of all pairs that count, from second 0 on
 */
public record Course(String cell, String side, String figure, List<Double> medians) {
    private static final Pattern AT_SECOND = Pattern.compile("(\\w+)@\\d+");

    /** All that a journal has, by cell, side and figure. */
    public static List<Course> all(Journal journal) {
        List<Course> courses = new ArrayList<>();
        for (Match match : journal.header().matches()) {
            for (Cell cell : match.cells()) {
                Set<Integer> pairs = journal.played().stream()
                        .filter(played -> played.cell().equals(cell.name()) && journal.counts(played))
                        .map(Journal.Played::pair)
                        .collect(Collectors.toSet());
                courses.addAll(of(
                        cell.name(),
                        journal.slices(cell.name()).stream()
                                .filter(slice -> pairs.contains(slice.pair()))
                                .toList()));
            }
        }
        return courses;
    }

    private static List<Course> of(String cell, List<Slice> slices) {
        Map<String, Map<Integer, Map<String, Double>>> sides = new TreeMap<>();
        for (Slice slice : slices) {
            Map<String, Double> figures = slice.turn().figures();
            if (figures != null) { // a side that plays against several has the same figures in each
                sides.computeIfAbsent(slice.side(), side -> new TreeMap<>()).put(slice.pair(), figures);
            }
        }
        List<Course> courses = new ArrayList<>();
        sides.forEach((side, pairs) -> {
            Map<String, List<Double>> bySecond = new TreeMap<>();
            for (Map<String, Double> figures : pairs.values()) {
                figures.forEach((name, value) -> bySecond.computeIfAbsent(name, figure -> new ArrayList<>())
                        .add(value));
            }
            Map<String, List<Double>> medians = new TreeMap<>();
            bySecond.forEach((name, values) -> {
                Matcher at = AT_SECOND.matcher(name);
                if (at.matches()) {
                    medians.computeIfAbsent(at.group(1), figure -> new ArrayList<>())
                            .add(Median.of(values.stream()
                                    .mapToDouble(Double::doubleValue)
                                    .toArray()));
                }
            });
            medians.forEach((figure, values) -> courses.add(new Course(cell, side, figure, values)));
        });
        return courses;
    }
}
