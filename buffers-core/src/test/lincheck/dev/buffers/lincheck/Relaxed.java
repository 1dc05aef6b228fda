// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.lincheck;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A sequential specification that may allow an operation more than one result: a state, and what may happen next. It has a
 * public constructor that makes the initial state, and never changes.
 */
public interface Relaxed {

    /** The state after {@code step}; null when an operation with these arguments cannot have this result here. */
    @Nullable Relaxed after(Step step);

    /** An operation and its arguments. */
    record Call(String name, List<Object> arguments) {

        boolean is(String other) {
            return name.equals(other);
        }

        int argument(int i) {
            return (Integer) arguments.get(i);
        }
    }

    /** A call, its result, and the calls of other threads that were under way while it was. */
    record Step(Call call, String result, List<Call> overlapping) {

        boolean says(String text) {
            return result.equals(text);
        }

        boolean isAlone() {
            return overlapping.isEmpty();
        }

        boolean overlaps(Predicate<Call> which) {
            return overlapping.stream().anyMatch(which);
        }
    }
}
