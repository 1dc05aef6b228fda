package dev.buffers.bench.run;

import dev.buffers.bench.duet.Contestant;
import dev.buffers.bench.duet.Duet;
import dev.buffers.bench.duet.JmhContestant;
import dev.buffers.bench.duet.Match;
import dev.buffers.bench.duet.PassContestant;
import dev.buffers.bench.duet.Variant;
import dev.buffers.bench.frameworks.BurstContestant;
import dev.buffers.bench.frameworks.FrameworkContestant;
import dev.buffers.bench.http.HttpContestant;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.SampleFiles;
import dev.buffers.bench.sockets.EchoContestant;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Starts whatever takes part in a run; the files that web servers serve are those of a folder, or are made when the first one needs them. */
final class Contestants implements Duet.Opener, AutoCloseable {
    private final @Nullable Path folder;
    private @Nullable SampleFiles files;
    private @Nullable Documents documents;

    Contestants(@Nullable Path folder) {
        this.folder = folder;
    }

    @Override
    public Contestant open(Match match, Variant side) throws IOException, InterruptedException {
        return switch (match.engine()) {
            case JMH -> JmhContestant.start(match, side);
            case PASS -> new PassContestant(match, side);
            case ECHO -> EchoContestant.start(match, side);
            case HTTP -> HttpContestant.start(match, side, root(), documents());
            case FRAMEWORK -> FrameworkContestant.start(match, side, root(), documents());
            case BURST -> new BurstContestant(match, side, root(), documents());
        };
    }

    private Path root() throws IOException {
        if (folder != null) {
            return folder;
        }
        if (files == null) {
            files = SampleFiles.create();
        }
        return files.folder();
    }

    private Documents documents() throws IOException {
        if (documents == null) {
            documents = Documents.of(root());
        }
        return documents;
    }

    @Override
    public void close() {
        if (files != null) {
            files.close();
        }
    }
}
