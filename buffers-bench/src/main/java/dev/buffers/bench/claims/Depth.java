package dev.buffers.bench.claims;

import java.util.Locale;

/** How much is measured. Each depth has the points of the one before, and more. */
public enum Depth {
    /** The ends, in a few minutes. */
    QUICK(3),
    /** The ends and the sizes around cliffs. */
    FULL(5),
    /** Fine steps. */
    ALL(5);

    private final int rounds;

    Depth(int rounds) {
        this.rounds = rounds;
    }

    /** How many forks each point gets. */
    public int rounds() {
        return rounds;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
