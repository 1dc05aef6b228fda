package dev.buffers.bench.frameworks;

import dev.buffers.bench.duet.LoadContestant;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.Variant;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.HttpLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A framework's server in a JVM of its own. The side's parameters are {@code framework}, {@code work}, and {@code ours} for this library's
 * pool in place of the framework's own, as it is shipped. The cells are {@link HttpLoad}'s.
 */
public final class FrameworkContestant extends LoadContestant {
    /** Undertow's own pool leaves a buffer with every virtual thread that has ended, and does not survive the child's usual 256 MiB. */
    private static final String ROOM_FOR_VIRTUAL = "-XX:MaxDirectMemorySize=2g";

    private final Documents documents;
    private final int port;

    private FrameworkContestant(String name, ChildJvm jvm, Match.Pace pace, Documents documents)
            throws IOException, InterruptedException {
        super(name, jvm, pace);
        this.documents = documents;
        this.port = Integer.parseInt(jvm.line());
    }

    /** Starts one on a folder. */
    public static FrameworkContestant start(Match match, Variant side, Path root, Documents documents)
            throws IOException, InterruptedException {
        ChildJvm jvm = jvm(match, side, root);
        try {
            return new FrameworkContestant(side.name(), jvm, match.pace(), documents);
        } catch (IOException | InterruptedException | RuntimeException e) {
            jvm.close();
            throw e;
        }
    }

    static ChildJvm jvm(Match match, Variant side, Path root) throws IOException {
        String work = side.parameters().getOrDefault("work", "streams");
        List<String> arguments = List.of(
                side.parameters().getOrDefault("framework", ""),
                String.valueOf(side.parameters().containsKey("ours")),
                work,
                root.toString());
        List<String> options = Work.named(work) == Work.VIRTUAL ? List.of(ROOM_FOR_VIRTUAL) : match.jvmArguments();
        return ChildJvm.start(side.name(), options, FrameworkProgram.class, arguments);
    }

    @Override
    protected Load connect(String work, Map<String, String> parameters) throws IOException, InterruptedException {
        return HttpLoad.open(work, parameters, documents, port);
    }
}
