package dev.buffers.bench.advise;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.figures.Verdict;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What to set on this machine. A policy is for all uses when it is better than the default in one of them beyond doubt, worse in none
 * beyond doubt, and was measured in all; of several the one with the best product of ratios is taken. Where there is no such policy and
 * yet something is better in one use or another, each such use gets a pool of its own.
 */
@JsonPropertyOrder({"policyForAll", "settings", "conclusion", "uses"})
record Advice(List<UseAdvice> uses) {

    static Advice of(Collection<Experiment> uses, Measured measured) {
        return new Advice(uses.stream().map(use -> UseAdvice.of(use, measured)).toList());
    }

    /** The policy that is better than the default for all uses taken together; null when none is. */
    @JsonProperty
    @Nullable String policyForAll() {
        return forAll().orElse(null);
    }

    private Optional<String> forAll() {
        return uses.stream()
                .flatMap(use -> use.standings().stream())
                .map(Standing::policy)
                .distinct()
                .filter(policy -> any(use -> use.verdict(policy) == Verdict.HOLDS))
                .filter(policy -> !any(use -> use.verdict(policy) == Verdict.REVERSED))
                .filter(policy -> !any(use -> use.verdict(policy) == Verdict.NOT_RUN))
                .max(Comparator.comparingDouble(policy ->
                        uses.stream().mapToDouble(use -> use.gain(policy)).reduce(1, (a, b) -> a * b)));
    }

    private boolean any(Predicate<UseAdvice> condition) {
        return uses.stream().anyMatch(condition);
    }

    /** Keys and values for {@code buffers.properties}. */
    @JsonProperty
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("buffers." + Uses.POLICY, forAll().orElse(Uses.DEFAULT_POLICY));
        if (forAll().isEmpty()) {
            withOwnPool().forEach(use -> settings.put("buffers." + use.key(), use.policy()));
        }
        return settings;
    }

    private List<UseAdvice> withOwnPool() {
        return uses.stream().filter(use -> use.best().isPresent()).toList();
    }

    /** What follows for all uses taken together. */
    @JsonProperty
    String conclusion() {
        Optional<String> policy = forAll();
        if (policy.isPresent()) {
            return "For all uses: -Dbuffers.policy=" + policy.get() + ", better than the default in "
                    + named(use -> use.verdict(policy.get()) == Verdict.HOLDS) + ", worse in none.";
        }
        String leave = "For all uses: -Dbuffers.policy=" + Uses.DEFAULT_POLICY + ", the default";
        if (withOwnPool().isEmpty()) {
            return leave + ": nothing is known to be better.";
        }
        return leave
                + ", for what is better in one use is worse, or not measured, in another. A pool for each of these: "
                + withOwnPool().stream()
                        .map(use -> "BufferPool.create(\"" + use.use() + "\") with " + use.setting())
                        .collect(Collectors.joining("; "))
                + ".";
    }

    private String named(Predicate<UseAdvice> condition) {
        return uses.stream().filter(condition).map(UseAdvice::use).collect(Collectors.joining(", "));
    }
}
