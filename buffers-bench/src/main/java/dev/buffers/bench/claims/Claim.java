// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.claims;

import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Trial;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A statement about buffers, and the trials that decide whether it is true. The verdict is that of the rule, never of the claim.
 *
 * @param id as in the catalogue: A1 to F9
 * @param source its author and year
 * @param statement one sentence that can be true or false
 * @param then the measurement of that time
 * @param since later changes of the JDK that bear on the claim; empty when there are none
 * @param obstacle why it cannot be measured in this JVM or on this machine; empty when it can
 * @param comparisons all that it names, at every size
 * @param deciding the trials of these that decide it, by {@link #key}; the others are measured on request
 */
public record Claim(
        String id,
        Source source,
        String statement,
        String then,
        String since,
        String obstacle,
        List<Comparison> comparisons,
        Set<String> deciding) {

    public Claim {
        comparisons = List.copyOf(comparisons);
        deciding = Set.copyOf(deciding);
    }

    /** Every question of a comparison, without a published claim. */
    public static Claim question(String id, Source source, String statement, Comparison comparison) {
        return new Claim(id, source, statement, "", "", "", List.of(comparison), Set.of());
    }

    /** All claims, A to F, in the order of the catalogue. */
    public static List<Claim> all() {
        return Stream.of(KindsOfBuffer.claims(), OldClaims.claims(), NewClaims.claims())
                .flatMap(List::stream)
                .toList();
    }

    /**
     * A source of claims.
     *
     * @param year when it was measured or said; for claims without a measurement, this year
     * @param setting on which machine and Java
     */
    public record Source(int year, String what, String setting) {}

    /** The trials, at all sizes or at the deciding ones. */
    public List<Trial> trials(boolean all) {
        return comparisons(all).stream()
                .flatMap(comparison -> comparison.trials().stream())
                .toList();
    }

    public List<Comparison> comparisons(boolean all) {
        return comparisons.stream()
                .map(comparison -> all ? comparison : decidingPart(comparison))
                .filter(comparison -> !comparison.cells().isEmpty())
                .toList();
    }

    private Comparison decidingPart(Comparison comparison) {
        List<Trial> trials = comparison.trials().stream()
                .filter(trial -> deciding.contains(key(trial)))
                .toList();
        Set<String> measured = trials.stream().map(Trial::cell).collect(Collectors.toSet());
        List<Cell> cells = comparison.cells().stream()
                .filter(cell -> measured.contains(cell.name()))
                .toList();
        return comparison.only(cells, trials);
    }

    /** How {@link #deciding} names a trial. */
    static String key(Trial trial) {
        return trial.cell() + " / " + trial.alternative() + " / " + trial.figure();
    }

    /** The comparisons of some claims. Those of one name are one: claims may ask different things of the same comparison. */
    public static List<Comparison> comparisons(Collection<Claim> claims, boolean all) {
        Map<String, Comparison> merged = new LinkedHashMap<>();
        for (Claim claim : claims) {
            if (claim.obstacle().isEmpty()) {
                claim.comparisons(all).forEach(comparison -> merged.merge(comparison.name(), comparison, Claim::both));
            }
        }
        return List.copyOf(merged.values());
    }

    private static Comparison both(Comparison one, Comparison other) {
        return new Comparison(
                one.name(),
                one.engine(),
                one.pace(),
                one.jvmArguments(),
                one.base(),
                union(one.alternatives(), other.alternatives()),
                union(one.cells(), other.cells()),
                union(one.trials(), other.trials()));
    }

    private static <T> List<T> union(List<T> one, List<T> other) {
        return Stream.concat(one.stream(), other.stream()).distinct().toList();
    }
}
