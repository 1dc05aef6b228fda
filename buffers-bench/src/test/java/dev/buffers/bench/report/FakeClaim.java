package dev.buffers.bench.report;

import dev.buffers.bench.claims.Claim;
import java.util.List;

/** A claim that nobody made. */
record FakeClaim(String id, String statement, String then, String since, List<Trial> trials) implements Claim {

    @Override
    public Source source() {
        return new Source(2009, "a made-up source", "a machine long gone, Java 6");
    }
}
