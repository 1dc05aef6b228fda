package dev.buffers.bench.frameworks;

import dev.buffers.bench.figures.Verdict;
import java.util.List;
import java.util.stream.Stream;

/** F7: the bar for every lane; 1.05 is for what counts as no difference, twice: what is allowed, and what the rule asks for. */
final class F7NotSlower extends FrameworkClaim {

    @Override
    public String id() {
        return "F7";
    }

    @Override
    public String statement() {
        return "A framework's server is not slower on this pool than on its own.";
    }

    @Override
    public List<Trial> trials() {
        double allowed = Verdict.MATTERS * Verdict.MATTERS;
        return Stream.concat(
                        each(FrameworkServer.RATE).map(trial -> trial.scaled(allowed)),
                        each(FrameworkServer.P99).map(trial -> trial.scaled(1 / allowed)))
                .toList();
    }
}
