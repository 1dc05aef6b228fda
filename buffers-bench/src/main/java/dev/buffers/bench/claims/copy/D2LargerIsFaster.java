package dev.buffers.bench.claims.copy;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** D2: stated of channels with a direct buffer. From the smallest to the largest, and at each step between. */
final class D2LargerIsFaster implements Claim {

    @Override
    public String id() {
        return "D2";
    }

    @Override
    public Source source() {
        return CopyingFiles.SOURCE;
    }

    @Override
    public String statement() {
        return "to copy a file, a channel is the faster the larger its direct buffer is";
    }

    @Override
    public String then() {
        return "stated; its chart is lost";
    }

    @Override
    public List<Trial> trials() {
        List<Integer> buffers = CopyingFiles.BUFFERS;
        return Stream.concat(
                        Stream.of(larger(CopyingFiles.SMALLEST, CopyingFiles.LARGEST)),
                        IntStream.range(1, buffers.size()).mapToObj(i -> larger(buffers.get(i - 1), buffers.get(i))))
                .toList();
    }

    private static Trial larger(int from, int to) {
        return Trial.better(
                CopyingFiles.label(from) + " to " + CopyingFiles.label(to),
                CopyingFiles.through("direct", to),
                CopyingFiles.through("direct", from),
                Figure.TIME);
    }
}
