package dev.buffers.bench.claims.transfer;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Figure;
import java.util.List;

/** B1: that 16 KiB are the right size. The claim names its magnitude; half as fast again is taken to bear it out. */
final class B1TwiceAsFast implements Claim {
    private static final double TWICE = 1.5;

    @Override
    public String id() {
        return "B1";
    }

    @Override
    public Source source() {
        return StreamTransfer.SOURCE;
    }

    @Override
    public String statement() {
        return "a stream is transferred twice as fast through a buffer of 16 KiB as through one of 8 KiB";
    }

    @Override
    public String then() {
        return "1,350 ± 47 and 2,634 ± 93 ops/s, 1 MiB; 20 % on a laptop of the author's";
    }

    @Override
    public String since() {
        return "on the strength of this claim JDK 21 made InputStream's own buffer 16 KiB; up to JDK 20 it is 8 KiB. "
                + "What exceeds 8,192 bytes the native code of FileInputStream still reads into memory from malloc";
    }

    @Override
    public List<Trial> trials() {
        return StreamTransfer.SIZES.stream()
                .map(size -> Trial.better(
                        StreamTransfer.label(size),
                        StreamTransfer.loop(size, 16 << 10),
                        StreamTransfer.loop(size, 8 << 10),
                        Figure.RATE,
                        TWICE))
                .toList();
    }
}
