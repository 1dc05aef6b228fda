package dev.buffers.bench.show;

import dev.buffers.bench.http.ServerNumbers;
import dev.buffers.bench.load.LoadResult;

/**
 * One server under one load in one round.
 *
 * @param cpuMicros the server's processor time for each request
 * @param allocatedBytes on the server's heap for each request
 * @param pauses collections of the server
 * @param reservedBytes what the server's pool held afterwards
 * @param directBytes what all direct buffers of the server's JVM held afterwards
 */
record Measurement(
        Lane lane,
        int round,
        Load load,
        long responses,
        double rate,
        double p50Micros,
        double p99Micros,
        double cpuMicros,
        double allocatedBytes,
        long pauses,
        long pauseMillis,
        long reservedBytes,
        long directBytes,
        long connects) {

    /** The kinds of load. */
    enum Load {
        CLOSED_600,
        CLOSED_64,
        OPEN
    }

    static Measurement of(
            Lane lane, int round, Load load, LoadResult result, ServerNumbers before, ServerNumbers after) {
        double responses = Math.max(1, result.responses());
        return new Measurement(
                lane,
                round,
                load,
                result.responses(),
                result.rate(),
                result.latencyMicros(50),
                result.latencyMicros(99),
                (after.cpuNanos() - before.cpuNanos()) / 1e3 / responses,
                (after.allocatedBytes() - before.allocatedBytes()) / responses,
                after.pauses() - before.pauses(),
                after.pauseMillis() - before.pauseMillis(),
                after.reservedBytes(),
                after.directBytes(),
                result.connects());
    }
}
