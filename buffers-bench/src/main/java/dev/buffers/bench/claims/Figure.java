package dev.buffers.bench.claims;

/**
 * One of the things that an experiment measures at each of its points.
 *
 * @param name what {@link Experiment#measure} calls it, a word
 * @param unit for people
 */
public record Figure(String name, String unit, boolean moreIsBetter) {

    /** Time per operation. */
    public static final Figure TIME = new Figure("time", "ns/op", false);

    /** Operations per second. */
    public static final Figure RATE = new Figure("rate", "ops/s", true);

    /** Heap allocated per operation. */
    public static final Figure ALLOCATED = new Figure("allocated", "B/op", false);
}
