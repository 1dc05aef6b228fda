// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

import java.util.List;
import java.util.Map;

/**
 * One side of a comparison: how its JVM differs from the harness's own.
 *
 * @param classPath jars and folders that come before the bench's own class path
 * @param jvmArguments options of its JVM
 * @param parameters values of the benchmark's {@code @Param} fields, in place of the cell's
 */
public record Variant(String name, List<String> classPath, List<String> jvmArguments, Map<String, String> parameters) {
    public Variant {
        classPath = List.copyOf(classPath);
        jvmArguments = List.copyOf(jvmArguments);
        parameters = Map.copyOf(parameters);
    }

    /** One that differs in its parameters alone. */
    public Variant(String name, Map<String, String> parameters) {
        this(name, List.of(), List.of(), parameters);
    }

    /** The same under another name: the other side of an A/A control. */
    public Variant as(String another) {
        return new Variant(another, classPath, jvmArguments, parameters);
    }
}
