package dev.buffers.bench;

import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.copy.CopyingFiles;
import dev.buffers.bench.claims.kinds.KindsOfBuffer;
import dev.buffers.bench.claims.server.FourKinds;
import dev.buffers.bench.claims.sockets.AsyncSockets;
import dev.buffers.bench.claims.transfer.StreamTransfer;
import dev.buffers.bench.claims.unmeasured.NobodyMeasured;
import dev.buffers.bench.frameworks.Frameworks;
import dev.buffers.bench.lanes.Rivals;
import java.util.List;

/** Where all families of claims are named. */
public final class Families {
    private Families() {}

    /** Every claim and every experiment that there is. */
    public static Catalogue all() {
        return new Catalogue(List.of(
                new KindsOfBuffer(),
                new StreamTransfer(),
                new FourKinds(),
                new CopyingFiles(),
                new AsyncSockets(),
                new NobodyMeasured(),
                new Rivals(),
                new Frameworks()));
    }
}
