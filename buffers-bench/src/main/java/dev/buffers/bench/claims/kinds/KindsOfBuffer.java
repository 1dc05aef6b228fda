package dev.buffers.bench.claims.kinds;

import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Claim.Source;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Family;
import java.util.List;

/** Claims A: {@code byte[]}, heap and direct buffers, as measured in 2009. */
public final class KindsOfBuffer implements Family {
    static final Source SOURCE =
            new Source(2009, "byte[], heap and direct buffers", "Xeon E5540, Java 6 and a beta of Java 7");

    @Override
    public List<Experiment> experiments() {
        return List.of(
                FillLane.experiment(),
                CopyLane.experiment(),
                AllocateLane.experiment(),
                OrderLane.experiment(),
                RecordLane.experiment(),
                WriteLane.experiment(),
                ReadLane.experiment(),
                KeepLane.experiment());
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                new A1LargeStreamWrites(),
                new A2FillingDirect(),
                new A3CopiesIntoHeap(),
                new A4AllocatingDirect(),
                new A5LittleEndian(),
                new A6FillingArrays(),
                new A7StagedWrites(),
                new A8OneBufferKept(),
                new A9WritingBuffers(),
                new A10Elements(),
                new A11StreamOverChannel(),
                new A12SmallChunks());
    }
}
