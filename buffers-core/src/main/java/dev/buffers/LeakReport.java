// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import dev.buffers.internal.text.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A report on one lease. The leak listener gets it for a lease that was lost or is out for too long; {@link BufferPool#openLeases} lists it
 * for an open one. Immutable, for any thread; holds no object of the pool.
 *
 * @param pool the pool's name
 * @param capacity the bytes that the lease held: its buffer's capacity
 * @param lost whether the lease was dropped without a release; false for one that is still out
 * @param acquisition where the lease was acquired, if the setting {@code leaks} or {@code guard} kept that for this lease
 */
public record LeakReport(String pool, int capacity, boolean lost, Optional<Acquisition> acquisition) {

    /**
     * How a lease was acquired, and where it came later.
     *
     * @param size the bytes that were asked for
     * @param age how long the lease had been open when this report was made
     * @param thread the name of the thread that acquired it
     * @param stack where, the caller of this library first; of a channel's input that was handed off, thread and stack are those of {@link
     *     ChannelBuffers#handOffInput}
     * @param touches the hints that {@link PooledBuffer#touch} has got for it, the earliest first; of more than eight, the latest eight
     */
    public record Acquisition(
            int size, Duration age, String thread, List<StackTraceElement> stack, List<Touch> touches) {

        /**
         * Copies the lists.
         *
         * @param size as above
         * @param age as above
         * @param thread as above
         * @param stack as above
         * @param touches as above
         */
        public Acquisition {
            stack = List.copyOf(stack);
            touches = List.copyOf(touches);
        }
    }

    /**
     * One call of {@link PooledBuffer#touch}.
     *
     * @param hint what its caller said
     * @param age how long the lease had been open then
     * @param thread the name of the thread that called
     */
    public record Touch(String hint, Duration age, String thread) {

        /** Such as {@code touched after 3s by thread worker-1: parsed}. */
        @Override
        public String toString() {
            return "touched after " + text(age) + " by thread " + thread + ": " + hint;
        }
    }

    /** {@return the stack where the lease was acquired, as a log shows it, one frame a line; empty when it was not kept} */
    public String stackText() {
        return lines(Acquisition::stack, "\tat ");
    }

    /**
     * {@return the hints of {@link PooledBuffer#touch}, as a log shows them, one call a line; empty when there was none, or the stack was
     * not kept}
     */
    public String touchText() {
        return lines(Acquisition::touches, "\t");
    }

    private <T> String lines(Function<Acquisition, List<T>> part, String start) {
        return acquisition.map(part).orElse(List.of()).stream()
                .map(line -> start + line)
                .collect(Collectors.joining(System.lineSeparator()));
    }

    /** One line, and below it the stack and the hints of {@link PooledBuffer#touch}, if they are known. */
    @Override
    public String toString() {
        String line = "pool=" + pool + ", capacity=" + capacity;
        return acquisition
                .map(known -> line + ", size=" + known.size() + ", age=" + text(known.age()) + ", acquired by thread "
                        + known.thread() + System.lineSeparator() + stackText()
                        + (known.touches().isEmpty() ? "" : System.lineSeparator() + touchText()))
                .orElse(line);
    }

    private static String text(Duration exact) {
        return DurationText.of(Duration.ofMillis(Math.max(1, exact.toMillis())));
    }
}
