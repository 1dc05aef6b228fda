package dev.buffers;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The settings of one pool, resolved from its builder, the system properties, the environment, the file {@code buffers.properties} and the
 * defaults, in this order. {@link #toString} prints every value and where it comes from.
 *
 * <p>Immutable, for any thread. Everything is read when the pool is created; later changes of the system properties have no effect on it.
 * The accessors look values up in a map: read them once, not for every buffer.
 */
public interface PoolSettings {

    /** How the object that stands for a lease is made: the setting {@code leases}. */
    public enum LeaseMode {
        /** A new object for every lease, so that an ended lease stays ended forever. */
        FRESH,
        /** The slot's own object, used again for each lease: no garbage, but a late call may end the next holder's lease. */
        RECYCLED;

        /** The setting's text. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** When memory is overwritten with zeros, so that no holder sees another's bytes: the setting {@code zero}. */
    public enum Zeroing {
        /** Not at all. */
        NEVER,
        /** On release: nothing stays readable in free memory. */
        RELEASE,
        /** On acquire: the whole buffer is zero, whatever was written into it since its release. */
        ACQUIRE;

        /** The setting's text. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How a region's memory goes back to the system: the setting {@code free}. */
    public enum Freeing {
        /** The collector takes it once nothing reaches it. */
        GC,
        /** At once, from an arena of its own; Java 22 and later. */
        PROMPT;

        /** The setting's text. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The pool's name, without dots or white space.
     *
     * @return the name under which its own settings were looked up
     */
    String name();

    /**
     * Which memory the pool uses, and how it is cut; {@code direct-view} unless set.
     *
     * @return the policy itself
     */
    BufferPolicy policy();

    /**
     * The cap. Unless set, half of the JVM's limit for direct memory or a quarter of the heap, depending on the policy.
     *
     * @return bytes, at least 1
     */
    long maxBytes();

    /**
     * Whether {@code max} is not set. All pools of which this is true share one budget for each kind of memory, of {@link #maxBytes} in
     * all.
     *
     * @return true when the cap is not this pool's own
     */
    boolean sharesDefaultBudget();

    /**
     * What happens at the cap; {@code fail} unless set.
     *
     * @return what an acquire does when there is no room
     */
    Exhaustion atLimit();

    /**
     * The size of a large region; the first ones may be smaller.
     *
     * @return bytes, from 4 KiB to 1 GiB
     */
    long regionSize();

    /**
     * The largest size that is pooled; a larger buffer gets a region of its own.
     *
     * @return bytes, from 1 KiB to 16 MiB, at most {@link #regionSize}
     */
    int maxSize();

    /**
     * How much the pool reserves when it is created and never trims; 0 unless set.
     *
     * @return bytes, at most {@link #maxBytes}
     */
    long preallocate();

    /**
     * How much one thread may cache.
     *
     * @return bytes; 0 when threads cache nothing
     */
    long threadCache();

    /**
     * How leases are made; {@code fresh} unless set.
     *
     * @return the mode
     */
    LeaseMode leases();

    /**
     * When memory is zeroed; {@code never} unless set.
     *
     * @return when
     */
    Zeroing zero();

    /**
     * What the pool keeps about leases; {@code count} unless set.
     *
     * @return the tracking
     */
    LeakTracking leaks();

    /**
     * How long memory stays unused before it goes back; 10 seconds unless set.
     *
     * @return the idle time; empty when memory is not trimmed
     */
    Optional<Duration> trimAfter();

    /**
     * How memory goes back; {@code gc} unless set.
     *
     * @return how
     */
    Freeing free();

    /**
     * Whether the pool looks for misuse, at a price; it does not unless set.
     *
     * @return true for {@code guard=on}
     */
    boolean guard();

    /**
     * Whether the pool registers a JMX bean; it does not unless set.
     *
     * @return true for {@code jmx=true}
     */
    boolean jmx();

    /** Every setting, one a line, each with where it comes from, as in {@code max=64m (-Dbuffers.web.max)}. */
    @Override
    String toString();
}
