// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.bench.frameworks.BurstContestant;
import dev.buffers.bench.frameworks.ExchangeContestant;
import dev.buffers.bench.frameworks.FrameworkContestant;
import dev.buffers.bench.frameworks.WaitingContestant;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.Contestant;
import dev.buffers.bench.harness.Harness;
import dev.buffers.bench.harness.JmhContestant;
import dev.buffers.bench.harness.PassContestant;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.http.HttpContestant;
import dev.buffers.bench.load.Documents;
import dev.buffers.bench.load.SampleFiles;
import dev.buffers.bench.sockets.EchoContestant;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Starts the contestants of a run. Web servers serve the files of a folder, or files that are made when the first server needs them. */
final class Contestants implements Harness.Opener, AutoCloseable {
    private final @Nullable Path folder;
    private @Nullable SampleFiles files;
    private @Nullable Documents documents;

    Contestants(@Nullable Path folder) {
        this.folder = folder;
    }

    @Override
    public Contestant open(Comparison comparison, Variant side) throws IOException, InterruptedException {
        return switch (comparison.engine()) {
            case JMH -> JmhContestant.start(comparison, side);
            case PASS -> new PassContestant(comparison, side);
            case ECHO -> EchoContestant.start(comparison, side);
            case HTTP -> HttpContestant.start(comparison, side, root(), documents());
            case FRAMEWORK -> FrameworkContestant.start(comparison, side, root(), documents());
            case BURST -> new BurstContestant(comparison, side, root(), documents());
            case WAITING -> new WaitingContestant(comparison, side);
            case EXCHANGE -> ExchangeContestant.start(comparison, side);
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
