package dev.buffers;

/** Where an acquire found its memory. */
public enum AcquireOutcome {
    /** In what came back to the channel that asked. */
    CHANNEL,
    /** In the thread's own magazine, or for a virtual thread in the one it claimed. */
    THREAD,
    /** Among the free slots that all threads share. */
    DEPOT,
    /** In memory newly cut for this size. */
    CARVED,
    /** In a region of its own, since it is larger than the largest size class. */
    OVERSIZE,
    /** In plain heap memory: the policy {@code unpooled}, or {@code at-limit=unpooled} at the cap. */
    UNPOOLED,
    /** Nowhere: it was refused at the cap. */
    REJECTED
}
