package dev.buffers.bench.duet;

import dev.buffers.bench.duet.Journal.Played;
import dev.buffers.bench.duet.Journal.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

    /** All that a journal has, by cell, side and figure. */
    public static List<Course> all(Journal journal) {
        return journal.header().matches().stream()
                .flatMap(match -> match.cells().stream())
                .flatMap(cell -> of(journal, cell.name()).stream())
                .toList();
    }

    private static List<Course> of(Journal journal, String cell) {
        Set<Integer> counted = journal.played().stream()
                .filter(played -> played.cell().equals(cell) && journal.counts(played))
                .map(Played::pair)
                .collect(Collectors.toSet());
        // side, figure with its second, pair: a side that plays against several has the same figures in each
        Map<String, Map<String, Map<Integer, Double>>> values = new TreeMap<>();
        for (Slice slice : journal.slices(cell)) {
            Map<String, Double> figures = slice.turn().figures();
            if (figures != null && counted.contains(slice.pair())) {
                figures.forEach((name, value) -> values.computeIfAbsent(slice.side(), side -> new TreeMap<>())
                        .computeIfAbsent(name, figure -> new TreeMap<>())
                        .put(slice.pair(), value));
            }
        }
        List<Course> courses = new ArrayList<>();
        values.forEach((side, figures) -> {
            Map<String, List<Double>> medians = new TreeMap<>();
            figures.forEach((name, pairs) -> {
                int at = name.indexOf('@');
                if (at > 0) {
                    medians.computeIfAbsent(name.substring(0, at), figure -> new ArrayList<>())
                            .add(Estimate.median(pairs.values().stream()
                                    .mapToDouble(value -> value)
                                    .toArray()));
                }
            });
            medians.forEach((figure, seconds) -> courses.add(new Course(cell, side, figure, seconds)));
        });
        return courses;
    }
}
