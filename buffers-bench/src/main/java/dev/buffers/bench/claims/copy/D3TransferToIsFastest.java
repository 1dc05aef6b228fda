package dev.buffers.bench.claims.copy;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import java.util.List;
import java.util.stream.Stream;

/** D3: the source's third lane. Only our own Transfers are no rival, for they call it. */
final class D3TransferToIsFastest implements Claim {

    @Override
    public String id() {
        return "D3";
    }

    @Override
    public Source source() {
        return CopyingFiles.SOURCE;
    }

    @Override
    public String statement() {
        return "FileChannel.transferTo is the fastest way to copy a file";
    }

    @Override
    public String then() {
        return "measured, not stated; its chart is lost";
    }

    @Override
    public String since() {
        return "Files.copy came with 7; transferTo is sendfile in 17 and tries copy_file_range first in 25, and so does Files.copy";
    }

    @Override
    public List<Trial> trials() {
        return Stream.of(
                        Stream.of(against("byte by byte", CopyingFiles.bytes())),
                        Stream.of(against(CopyBenchmark.FILES_COPY, CopyingFiles.by(CopyBenchmark.FILES_COPY))),
                        Stream.concat(Stream.of(CopyBenchmark.ARRAYS), CopyingFiles.POLICIES.stream())
                                .flatMap(way -> CopyingFiles.BUFFERS.stream()
                                        .map(buffer -> against(
                                                way + " of " + CopyingFiles.label(buffer),
                                                CopyingFiles.through(way, buffer)))))
                .flatMap(trials -> trials)
                .toList();
    }

    private static Trial against(String label, Point other) {
        return Trial.better("against " + label, CopyingFiles.by(CopyBenchmark.TRANSFER_TO), other, Figure.TIME);
    }
}
