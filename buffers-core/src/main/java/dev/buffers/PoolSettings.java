// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The settings of one pool, resolved from its builder, the system properties, the environment, the file {@code buffers.properties} and the
 * defaults, in this order. {@link #toString} prints every value and where it comes from.
 *
 * <p>Immutable, for any thread. Everything is read when the pool is created; later changes of the system properties have no effect on it.
 * The enums' {@code toString} gives the setting's text.
 */
public interface PoolSettings {

    /** When memory is overwritten with zeros, so that no holder sees another's bytes: the setting {@code zero}. */
    public enum Zeroing {
        /** Not at all. */
        NEVER,
        /** On release: nothing stays readable in free memory. */
        RELEASE,
        /** On acquire: the whole buffer is zero, whatever was written into it since its release. */
        ACQUIRE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How a region's memory goes back to the system: the setting {@code free}. */
    public enum Freeing {
        /** The collector takes it once nothing reaches it. */
        GC,
        /** At once, from a separate arena; Java 22 and later. */
        PROMPT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether the pool asks the JVM for a collection: the setting {@code collect}. */
    public enum Collecting {
        /**
         * When memory that is lost or dropped could prevent a refusal. These collections cost at most 2 % of the time, for all pools of one
         * copy of the library together.
         */
        AUTO,
        /** Never. */
        OFF;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** {@return the pool's name, without dots and white space; {@code web-2} if a pool {@code web} was open when it was created} */
    String name();

    /**
     * {@return the name in the keys of the pool's own settings} It is the name that the pool was created with: {@code web-2} has the key
     * {@code buffers.web.max} too.
     */
    default String keyName() {
        return name();
    }

    /** {@return which memory the pool uses, and how it is cut; {@code direct-view} unless set} */
    BufferPolicy policy();

    /**
     * {@return the cap in bytes, at least 128; unless set, half of the JVM's limit for direct memory or a quarter of the heap, depending on
     * the policy}
     */
    long maxBytes();

    /**
     * {@return whether {@code max} is not set} All pools of which this is true share one budget for each kind of memory, of {@link
     * #maxBytes} in all.
     */
    boolean sharesDefaultBudget();

    /** {@return what an acquire does when there is no room under the cap; unless set {@code fail}, or {@code unpooled} for a server's pool} */
    Exhaustion atLimit();

    /** {@return the bytes of a large region, from 4 KiB to 1 GiB; the first regions may be smaller} */
    long regionSize();

    /**
     * {@return the largest size that is pooled, in bytes, from 1 KiB to 16 MiB, at most {@link #regionSize}} A larger buffer gets a
     * separate region.
     */
    int maxSize();

    /**
     * {@return up to how many bytes {@link ChannelBuffers#readFrom} makes an input larger, from 1 KiB to {@link #maxSize}; 64 KiB unless
     * set}
     */
    int maxInput();

    /**
     * {@return of how many bytes the address of each buffer is a multiple, and the size of each slot; a power of two from 1 to 64 KiB; 1
     * unless set} Memory beyond the cap is on the heap, and not aligned.
     */
    int align();

    /** {@return how many bytes the pool reserves when it is created and never trims, at most {@link #maxBytes}; 0 unless set} */
    long preallocate();

    /** {@return how many bytes one thread may cache; 0 when threads cache nothing} */
    long threadCache();

    /** {@return when memory is zeroed; {@code never} unless set} */
    Zeroing zero();

    /** {@return what the pool keeps about leases; {@code count} unless set} */
    LeakTracking leaks();

    /** {@return how long memory stays unused before it goes back, 10 seconds unless set; empty when memory is not trimmed} */
    Optional<Duration> trimAfter();

    /** {@return how memory goes back to the system; {@code gc} unless set} */
    Freeing free();

    /** {@return whether the pool asks the JVM for a collection; {@code auto} unless set} */
    Collecting collect();

    /** {@return whether the pool looks for misuse, at a price; it does not unless set} */
    boolean guard();

    /** {@return whether the pool registers a JMX bean; it does not unless set} */
    boolean jmx();

    /** Every setting, one a line, each with where it comes from, as in {@code max=64m (-Dbuffers.web.max)}. */
    @Override
    String toString();
}
