package dev.buffers.bench.frameworks;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** F7: garbage, and what is left of a burst. */
final class F7NeedsLess extends FrameworkClaim {

    @Override
    public String id() {
        return "F7 memory";
    }

    @Override
    public String statement() {
        return "A framework's server allocates less for a request, and keeps less after a burst, on this pool than on its own.";
    }

    @Override
    public List<Trial> trials() {
        Stream<Trial> kept = Stream.of(FrameworkBurst.KEPT, FrameworkBurst.RESIDENT)
                .flatMap(figure -> Arrays.stream(Framework.values())
                        .map(framework -> Trial.better(
                                framework + ", burst, " + figure.name(),
                                FrameworkBurst.point(framework, FrameworkServer.OURS),
                                FrameworkBurst.point(framework, FrameworkServer.OWN),
                                figure)));
        return Stream.concat(each(FrameworkServer.ALLOCATED), kept).toList();
    }
}
