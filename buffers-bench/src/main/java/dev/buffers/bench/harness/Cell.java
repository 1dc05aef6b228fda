// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.util.Map;

/**
 * What both sides of a comparison do: one benchmark at one size, for instance.
 *
 * @param name for the report; no two cells of a run have the same
 * @param work a JMH benchmark: the full name of the method, or the end of it from a dot on; of a server the kind of load; of a pass the
 *     class
 * @param parameters of the work
 * @param ofBase parameters of the base alone, in place of those: where a size is compared with another, say
 */
public record Cell(String name, String work, Map<String, String> parameters, Map<String, String> ofBase) {
    public Cell {
        parameters = Map.copyOf(parameters);
        ofBase = Map.copyOf(ofBase);
    }

    /** The same for both sides. */
    public Cell(String name, String work, Map<String, String> parameters) {
        this(name, work, parameters, Map.of());
    }
}
