package dev.buffers.bench.run;

import dev.buffers.bench.Families;
import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.report.LanesTable;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Drives this library, and on request its rivals, through the lanes. */
@Command(
        name = "lanes",
        description = {
            "Measures this library beside the floor: a stack of ready buffers for each thread, the limit of what a pool can reach.",
            "Close everything else meanwhile. Ctrl-C leaves a report of what was finished."
        },
        mixinStandardHelpOptions = true)
public final class LanesCommand implements Callable<Integer> {
    private static final Set<String> OURS = Set.of("buffers", "buffersRecycled", "floor");

    @Option(
            names = "--rivals",
            description = "the pools of Netty, Jetty, Undertow and Grizzly too, a plain queue, and no pool")
    private boolean rivals;

    @Mixin
    private Measuring measuring = new Measuring();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Catalogue catalogue = Families.all();
        return measuring.execute("lanes", catalogue.only(List.of()), points(catalogue), LanesTable::lines);
    }

    private Collection<Point> points(Catalogue catalogue) {
        return catalogue.experiments().values().stream()
                .filter(Experiment::isLane)
                .flatMap(experiment -> experiment.points(measuring.depth()).stream())
                .filter(point -> rivals || OURS.contains(point.parameters().getOrDefault("contender", "buffers")))
                .toList();
    }
}
