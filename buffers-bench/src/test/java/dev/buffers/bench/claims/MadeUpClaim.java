package dev.buffers.bench.claims;

import java.util.List;

/** A claim that nobody made. */
record MadeUpClaim(String id, List<Trial> trials) implements Claim {

    MadeUpClaim(String id, Trial... trials) {
        this(id, List.of(trials));
    }

    @Override
    public Source source() {
        return new Source(2001, "a test", "no machine");
    }

    @Override
    public String statement() {
        return "One is better than two.";
    }

    @Override
    public String then() {
        return "not measured";
    }
}
