package dev.buffers.bench.frameworks;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** F7: what is left of a burst. */
final class F7KeepsLess extends FrameworkClaim {

    @Override
    public String id() {
        return "F7 keeps";
    }

    @Override
    public String statement() {
        return "A framework's server keeps less memory after a burst on this pool than on its own.";
    }

    @Override
    public List<Trial> trials() {
        return Stream.of(FrameworkBurst.KEPT, FrameworkBurst.RESIDENT)
                .flatMap(figure -> Arrays.stream(Framework.values())
                        .map(framework -> Trial.better(
                                framework + ", " + figure.name(),
                                FrameworkBurst.point(framework, FrameworkServer.OURS),
                                FrameworkBurst.point(framework, FrameworkServer.OWN),
                                figure)))
                .toList();
    }
}
