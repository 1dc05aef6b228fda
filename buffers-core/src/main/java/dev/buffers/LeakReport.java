package dev.buffers;

import dev.buffers.internal.text.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What is known of one lease: of a lost one, as the leak listener gets it, or of an open one, as {@link BufferPool#openLeases} lists it.
 * Immutable, for any thread; holds no object of the pool.
 *
 * @param pool the pool's name
 * @param capacity the bytes that the lease held: its buffer's capacity
 * @param acquisition where the lease was acquired, if the setting {@code leaks} kept that for this lease
 */
public record LeakReport(String pool, int capacity, Optional<Acquisition> acquisition) {

    /**
     * How a lease was acquired.
     *
     * @param size the bytes that were asked for
     * @param age how long the lease had been open when this report was made
     * @param thread the name of the thread that acquired it
     * @param stack where, the pool's caller first
     */
    public record Acquisition(int size, Duration age, String thread, List<StackTraceElement> stack) {

        /**
         * Copies the list.
         *
         * @param size as above
         * @param age as above
         * @param thread as above
         * @param stack as above
         */
        public Acquisition {
            stack = List.copyOf(stack);
        }
    }

    /**
     * The stack where the lease was acquired, as a log shows it.
     *
     * @return one frame a line; empty when the stack was not kept
     */
    public String stackText() {
        return acquisition
                .map(known -> known.stack().stream()
                        .map(frame -> "\tat " + frame)
                        .collect(Collectors.joining(System.lineSeparator())))
                .orElse("");
    }

    /** One line, and the stack below it if it is known. */
    @Override
    public String toString() {
        String line = "pool=" + pool + ", capacity=" + capacity;
        return acquisition
                .map(known -> line + ", size=" + known.size() + ", age=" + DurationText.of(millis(known.age()))
                        + ", acquired by thread " + known.thread() + System.lineSeparator() + stackText())
                .orElse(line);
    }

    private static Duration millis(Duration exact) {
        return Duration.ofMillis(Math.max(1, exact.toMillis()));
    }
}
