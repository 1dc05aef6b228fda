package dev.buffers.bench.claims.copy;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import dev.buffers.bench.claims.JmhExperiment;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.claims.Point.Grid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Claims D: copying a file, as measured in 2002. To copy byte by byte takes many times as long as anything else, so that it is an
 * experiment of its own, with fewer and longer iterations.
 */
public final class CopyingFiles implements Family {
    static final Claim.Source SOURCE = new Claim.Source(
            2002,
            "NIO against buffered streams, copying a file of 37 MB",
            "Windows 2000, JDK 1.2 to 1.4; its chart is lost");

    /** The buffer where there is none to choose. */
    static final String OWN = "own";

    /** Of the file; no multiple of any buffer. */
    static final int BYTES = 37_000_000;

    /** What the streams' default was then. */
    static final int SMALLEST = 2 << 10;

    static final int LARGEST = 1 << 20;

    /** From the smallest to the largest, around 8,192 bytes and what the JDK copies at once. */
    static final List<Integer> BUFFERS = List.of(SMALLEST, 8 << 10, 32 << 10, 128 << 10, LARGEST);

    static final List<String> POLICIES = List.of("heap", "direct", "heap-view", "direct-view");

    private static final String ID = "copy-file";
    private static final String ID_BYTES = "copy-bytes";
    private static final double FORK_SECONDS = 0.9;

    /** Byte by byte through buffered streams. */
    static Point bytes() {
        return Point.of(ID_BYTES, "way", CopyBenchmark.BYTES, "buffer", SMALLEST);
    }

    /** By a way that has a buffer. */
    static Point through(String way, int buffer) {
        return Point.of(ID, "way", way, "buffer", buffer);
    }

    /** By a way that does all by itself. */
    static Point by(String way) {
        return Point.of(ID, "way", way, "buffer", OWN);
    }

    /** Of a buffer, for people. */
    static String label(int buffer) {
        return buffer < LARGEST ? (buffer >> 10) + " KiB" : (buffer >> 20) + " MiB";
    }

    @Override
    public List<Experiment> experiments() {
        return List.of(
                JmhExperiment.of(ID, CopyBenchmark.class, "copy")
                        .question(
                                "How long does it take to copy a file of 37 MB in the page cache" + fileSystem() + "?")
                        .axes("buffer", "way")
                        .iterations(1, 4, 80)
                        .forkSeconds(FORK_SECONDS)
                        .points(
                                Depth.QUICK,
                                List.of(
                                        through("direct", SMALLEST),
                                        through("direct", LARGEST),
                                        by(CopyBenchmark.TRANSFER_TO)))
                        .points(Depth.FULL, withBuffers(BUFFERS.toArray()))
                        .points(Depth.FULL, List.of(by(CopyBenchmark.FILES_COPY), by(CopyBenchmark.TRANSFERS)))
                        .points(
                                Depth.ALL,
                                withBuffers(Stream.iterate(SMALLEST, b -> b <= LARGEST, b -> 2 * b)
                                        .toArray()))
                        .build(),
                JmhExperiment.of(ID_BYTES, CopyBenchmark.class, "copy")
                        .question("And how long byte by byte?")
                        .axes("buffer", "way")
                        .iterations(1, 2, 1000)
                        .forkSeconds(FORK_SECONDS)
                        .points(Depth.QUICK, List.of(bytes()))
                        .build());
    }

    private static List<Point> withBuffers(Object... buffers) {
        return Grid.of(ID)
                .with(
                        "way",
                        Stream.concat(Stream.of(CopyBenchmark.ARRAYS), POLICIES.stream())
                                .toArray())
                .with("buffer", buffers)
                .points();
    }

    /** What the copies are made on: some can share a file's blocks, and memory needs no disk. */
    private static String fileSystem() {
        try {
            return " of "
                    + Files.getFileStore(Path.of(System.getProperty("java.io.tmpdir")))
                            .type();
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder", e);
        }
    }

    @Override
    public List<Claim> claims() {
        return List.of(new D1ChannelsBeatStreams(), new D2LargerIsFaster(), new D3TransferToIsFastest());
    }
}
