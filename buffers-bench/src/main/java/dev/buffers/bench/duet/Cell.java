package dev.buffers.bench.duet;

import java.util.List;
import java.util.Map;

/**
 * What both sides of a comparison do: one benchmark at one size, for instance.
 *
 * @param name for the report; no two cells of a run have the same
 * @param benchmark the full name of the method, or the end of it from a dot on
 * @param parameters values of the benchmark's {@code @Param} fields
 * @param jvmArguments the options of a JVM that runs this cell
 */
public record Cell(String name, String benchmark, Map<String, String> parameters, List<String> jvmArguments) {
    public Cell {
        parameters = Map.copyOf(parameters);
        jvmArguments = List.copyOf(jvmArguments);
    }
}
