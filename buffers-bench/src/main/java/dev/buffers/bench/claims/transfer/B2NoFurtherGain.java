package dev.buffers.bench.claims.transfer;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import java.util.List;
import java.util.stream.Stream;

/** B2: that more than 16 KiB are not worth their memory. Its 1 to 3 % are less than what counts as a difference. */
final class B2NoFurtherGain implements Claim {

    @Override
    public String id() {
        return "B2";
    }

    @Override
    public Source source() {
        return StreamTransfer.SOURCE;
    }

    @Override
    public String statement() {
        return "above 16 KiB it makes no difference to double the buffer of a transfer";
    }

    @Override
    public String then() {
        return "16 to 128 KiB: 2,634 ± 93, 2,721 ± 90, 2,856 ± 97, 2,903 ± 41 ops/s (3.3, 5.0 and 1.6 %; said: 1 to 3 %)";
    }

    @Override
    public List<Trial> trials() {
        return StreamTransfer.SIZES.stream()
                .flatMap(size -> Stream.of(16, 32, 64).map(kib -> doubled(size, kib)))
                .toList();
    }

    private static Trial doubled(int size, int kib) {
        return Trial.same(
                StreamTransfer.label(size) + ", " + kib + " to " + 2 * kib + " KiB",
                StreamTransfer.loop(size, 2 * kib << 10),
                StreamTransfer.loop(size, kib << 10),
                Figure.RATE);
    }
}
