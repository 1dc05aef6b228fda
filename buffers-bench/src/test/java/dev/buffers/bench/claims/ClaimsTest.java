// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.claims;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.harness.Cell;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.PassContestant;
import dev.buffers.bench.harness.Trial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The tables: every claim of the catalogue has a row, says in advance what decides it, and leaves nothing out. */
class ClaimsTest {
    private final List<Claim> claims = Claim.all();

    /** Benchmarks of the tests, which JMH lists as well. */
    private static final String NO_CLAIMS = "dev.buffers.bench.harness.";

    @Test
    void everyClaimIsThere() {
        Set<String> ids = claims.stream()
                .map(Claim::id)
                .map(id -> id.split(" ")[0])
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> wanted = new TreeSet<>(List.of("B1", "B2", "C1", "C2", "C3", "D1", "D2", "D3", "E1", "E2"));
        for (int i = 1; i <= 12; i++) {
            wanted.add("A" + i);
        }
        for (int i = 1; i <= 9; i++) {
            wanted.add("F" + i);
        }
        assertEquals(wanted, ids);
        assertEquals(claims.size(), claims.stream().map(Claim::id).distinct().count());
    }

    @Test
    void eachClaimNamesItsDecidingTrials() {
        for (Claim claim : claims) {
            assertFalse(claim.trials(false).isEmpty(), claim.id());
            assertTrue(claim.trials(true).containsAll(claim.trials(false)), claim.id());
            Set<String> keys = claim.trials(true).stream().map(Claim::key).collect(Collectors.toSet());
            assertTrue(keys.containsAll(claim.deciding()), claim.id());
        }
    }

    @Test
    void decidingTrialsTakeFortyFiveMinutes() {
        double seconds = Claim.comparisons(claims, false).stream()
                .mapToDouble(Comparison::roundSeconds)
                .sum();
        assertTrue(5 * seconds < 46 * 60, () -> "minutes for the first look: " + 5 * seconds / 60);
    }

    /** A cell's name stands for the same work wherever it stands, and trials are about cells and sides that there are. */
    @Test
    void comparisonsAreSound() {
        for (boolean all : new boolean[] {true, false}) {
            Map<String, Cell> cells = new HashMap<>();
            Set<String> names = new HashSet<>();
            List<Claim> rows = new ArrayList<>(claims);
            rows.addAll(NewClaims.pools(true));
            for (Comparison comparison : Claim.comparisons(rows, all)) {
                assertTrue(names.add(comparison.name()), comparison.name());
                for (Cell cell : comparison.cells()) {
                    Cell other = cells.put(cell.name(), cell);
                    assertTrue(other == null, () -> "two cells of one name: " + cell + ", " + other);
                }
                Set<String> sides = comparison.alternatives().stream()
                        .map(side -> side.name())
                        .collect(Collectors.toSet());
                assertFalse(
                        sides.contains(comparison.base().name()), () -> "the base runs itself: " + comparison.name());
                for (Trial trial : comparison.trials()) {
                    assertTrue(cells.containsKey(trial.cell()), trial::cell);
                    assertTrue(sides.contains(trial.alternative()), trial::toString);
                }
                assertFalse(comparison.cells().isEmpty());
            }
        }
    }

    @Test
    void noSizeOfASourceIsLeftOut() {
        named("A1", "base.size", "8193", "131072", "1048576");
        named("A2", "size", "512", "65536");
        named("A3", "size", "16", "65536");
        named("A4", "size", "64", "65536");
        named("A7", "size", "512", "2048", "1048576");
        named("A11", "size", "512", "1048576");
        named("B1", "size", "65536", "1048576", "67108864");
        named("B2", "buffer", "32768", "65536", "131072");
        named("C1", "connections", "64", "600");
        named("D2", "buffer", "4096", "1048576");
        named("D3", "buffer", "2048", "1048576");
        named("E1", "connections", "1", "100", "1000");
        named("E2", "in-flight", "1", "32");
        named("F2", "size", "65536", "1048576");
        named("F4", "size", "64", "16384");
    }

    private void named(String id, String parameter, String... values) {
        Set<String> found = new HashSet<>();
        Claim claim =
                claims.stream().filter(one -> one.id().equals(id)).findFirst().orElseThrow();
        claim.comparisons(true)
                .forEach(comparison -> comparison.cells().forEach(cell -> {
                    found.add(cell.parameters().get(parameter));
                    found.add(cell.ofBase().get(parameter.replace("base.", "")));
                }));
        assertTrue(found.containsAll(List.of(values)), id + " " + parameter + ": " + found);
    }

    /** A benchmark that no claim uses never runs. */
    @Test
    void everyBenchmarkBelongsToClaim() {
        var quiet = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        Set<String> all = BenchmarkList.defaultList().getAll(quiet, List.of()).stream()
                .map(BenchmarkListEntry::getUsername)
                .filter(name -> !name.startsWith(NO_CLAIMS))
                .map(name -> name.replaceAll(".*\\.(\\w+\\.\\w+)$", "$1"))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> used = claims.stream()
                .flatMap(claim -> claim.comparisons().stream())
                .filter(comparison -> comparison.engine() == Comparison.Engine.JMH)
                .flatMap(comparison -> comparison.cells().stream())
                .map(Cell::work)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(all, used);
    }

    @Test
    void everyPassIsAClassThatIsThere() throws ClassNotFoundException {
        for (Comparison comparison : Claim.comparisons(claims, true)) {
            if (comparison.engine() == Comparison.Engine.PASS) {
                Class<?> pass = Class.forName(comparison.cells().get(0).work());
                assertTrue(PassContestant.Pass.class.isAssignableFrom(pass), pass::getName);
            }
        }
    }

    @Test
    void unknownTextOfClaimIsRefused() {
        Claim.Source source = new Claim.Source(2026, "", "");
        for (String line : List.of("mroe: -", "needs: luck", "jmh: ContenderState.work: - against x")) {
            assertThrows(IllegalArgumentException.class, () -> ClaimText.read(source, "X1: It is so.\n" + line));
        }
    }

    @Test
    void aGridIsAllCombinations() {
        assertEquals(
                List.of("1, x", "1, y", "2, x", "2, y"),
                ClaimText.grid("a=1,2 b=x,y").stream().map(ClaimText::label).toList());
        assertEquals(List.of(Map.of()), ClaimText.grid("-"));
        assertThrows(IllegalArgumentException.class, () -> ClaimText.grid("a=1 b"));
    }

    @Test
    void sharedComparisonRunsOnce() {
        List<Claim> c =
                claims.stream().filter(claim -> claim.id().startsWith("C")).toList();
        List<Comparison> comparisons = Claim.comparisons(c, false);
        assertEquals(2, comparisons.size());
        assertEquals(
                5,
                comparisons.stream()
                        .mapToInt(comparison -> comparison.alternatives().size())
                        .sum());
    }
}
