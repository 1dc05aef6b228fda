package dev.buffers.bench.claims.copy;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import java.util.List;

/** D1: the source's title. Its streams were moved byte by byte; streams that move whole arrays are a lane of the chart. */
final class D1ChannelsBeatStreams implements Claim {

    @Override
    public String id() {
        return "D1";
    }

    @Override
    public Source source() {
        return CopyingFiles.SOURCE;
    }

    @Override
    public String statement() {
        return "to copy a file, channels through one buffer are faster than buffered streams of the same size, moved byte by byte";
    }

    @Override
    public String then() {
        return "its chart is lost";
    }

    @Override
    public String since() {
        return "buffered streams lock their monitor for every byte; biased locking, which made that cheap, is off since 15; "
                + "their default buffer has grown from 2,048 to 8,192 bytes";
    }

    @Override
    public List<Trial> trials() {
        return CopyingFiles.POLICIES.stream()
                .map(policy -> Trial.better(
                        policy + ", " + CopyingFiles.label(CopyingFiles.SMALLEST),
                        CopyingFiles.through(policy, CopyingFiles.SMALLEST),
                        CopyingFiles.bytes(),
                        Figure.TIME))
                .toList();
    }
}
