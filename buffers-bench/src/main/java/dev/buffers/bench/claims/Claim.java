package dev.buffers.bench.claims;

import dev.buffers.bench.duet.Cell;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Trial;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What somebody said about buffers, and what decides whether it is so. Its verdict is the rule's, never its own.
 *
 * @param id as in the catalogue: A1 to F7
 * @param source who said it and when
 * @param statement what was said, one sentence that can be true or false
 * @param then what was measured then
 * @param since what the JDK has changed since that bears on it; empty when nothing
 * @param obstacle why it cannot be measured in this JVM or on this machine; empty when it can
 * @param matches all that it names, at every size
 * @param deciding the trials of these that decide it, by {@link #key}; the others are played on request
 */
public record Claim(
        String id,
        Source source,
        String statement,
        String then,
        String since,
        String obstacle,
        List<Match> matches,
        Set<String> deciding) {

    public Claim {
        matches = List.copyOf(matches);
        deciding = Set.copyOf(deciding);
    }

    /** What nobody has said: all that is asked in a match. */
    public static Claim question(String id, Source source, String statement, Match match) {
        return new Claim(id, source, statement, "", "", "", List.of(match), Set.of());
    }

    /** All rows, A to F, in the order of the catalogue. */
    public static List<Claim> all() {
        return Stream.of(KindsOfBuffer.rows(), OldClaims.rows(), NewClaims.rows())
                .flatMap(List::stream)
                .toList();
    }

    /**
     * A source of claims.
     *
     * @param year when it was measured or said; for what nobody measured, this year
     * @param setting on which machine and Java
     */
    public record Source(int year, String what, String setting) {}

    /** What is asked, at all sizes or at those that decide it. */
    public List<Trial> trials(boolean all) {
        return matches(all).stream().flatMap(match -> match.trials().stream()).toList();
    }

    public List<Match> matches(boolean all) {
        return matches.stream()
                .map(match -> all ? match : decidingPart(match))
                .filter(match -> !match.cells().isEmpty())
                .toList();
    }

    private Match decidingPart(Match match) {
        List<Trial> trials = match.trials().stream()
                .filter(trial -> deciding.contains(key(trial)))
                .toList();
        Set<String> played = trials.stream().map(Trial::cell).collect(Collectors.toSet());
        List<Cell> cells = match.cells().stream()
                .filter(cell -> played.contains(cell.name()))
                .toList();
        return match.only(cells, trials);
    }

    /** How {@link #deciding} names a trial. */
    static String key(Trial trial) {
        return trial.cell() + " / " + trial.challenger() + " / " + trial.figure();
    }

    /** The matches of some claims. Those of one name are one: claims may ask different things of the same match. */
    public static List<Match> matches(Collection<Claim> claims, boolean all) {
        Map<String, Match> merged = new LinkedHashMap<>();
        for (Claim claim : claims) {
            if (claim.obstacle().isEmpty()) {
                claim.matches(all).forEach(match -> merged.merge(match.name(), match, Claim::both));
            }
        }
        return List.copyOf(merged.values());
    }

    private static Match both(Match one, Match other) {
        return new Match(
                one.name(),
                one.engine(),
                one.pace(),
                one.jvmArguments(),
                one.base(),
                union(one.challengers(), other.challengers()),
                union(one.cells(), other.cells()),
                union(one.trials(), other.trials()));
    }

    private static <T> List<T> union(List<T> one, List<T> other) {
        return Stream.concat(one.stream(), other.stream()).distinct().toList();
    }
}
