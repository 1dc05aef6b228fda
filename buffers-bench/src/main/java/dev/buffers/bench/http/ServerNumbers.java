package dev.buffers.bench.http;

import dev.buffers.BufferPool;
import dev.buffers.PoolStats;
import dev.buffers.bench.jvm.DirectMemory;
import dev.buffers.bench.jvm.Footprint;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * What a server's JVM has done so far, and what it holds.
 *
 * @param compilingMillis what the JIT compilers have done
 * @param allocatedBytes on the heap, by all threads
 * @param reservedBytes memory that the pool holds
 * @param leasedBytes memory that the pool has given out
 * @param directBytes all direct buffers of the JVM
 */
public record ServerNumbers(
        long compilingMillis,
        long allocatedBytes,
        long reservedBytes,
        long leasedBytes,
        long directBytes,
        int connections,
        long responses,
        long failures) {

    static ServerNumbers of(Server server, BufferSource source) {
        Optional<PoolStats> memory = source.pool().map(BufferPool::stats);
        return new ServerNumbers(
                ManagementFactory.getCompilationMXBean().getTotalCompilationTime(),
                Footprint.allocatedBytes(),
                memory.map(PoolStats::reservedBytes).orElse(0L),
                memory.map(PoolStats::leasedBytes).orElse(0L),
                DirectMemory.used(),
                server.connections(),
                server.responses(),
                server.failures());
    }
}
