package dev.buffers.springboot;

import dev.buffers.BufferPool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator endpoint {@code buffers}: each pool's settings and figures, and at most 100 leases that are out, the oldest first; {@code
 * buffers/dump}, the same as text; and, to write, {@code buffers/trim}.
 */
@Endpoint(id = "buffers")
public final class BuffersEndpoint {
    private static final String DUMP = "dump";
    private static final String TRIM = "trim";

    private final ServerBufferPools pools;
    private final SettingOrigins origins;

    BuffersEndpoint(ServerBufferPools pools, SettingOrigins origins) {
        this.pools = pools;
        this.origins = origins;
    }

    /**
     * The pools as they are now.
     *
     * @return {@code pools}, a list
     */
    @ReadOperation
    public Map<String, Object> pools() {
        List<Map<String, Object>> all = new ArrayList<>();
        for (BufferPool pool : pools.all()) {
            String role = pool == pools.pool() ? PoolsOfEnvironment.POOL : PoolsOfEnvironment.HEAP_POOL;
            all.add(PoolFigures.all(pool, origins.lines(pool, role)));
        }
        return Map.of("pools", List.copyOf(all));
    }

    /**
     * The table of each pool, to read by eye.
     *
     * @param form {@code dump}; there is no other
     * @return the tables one after the other, or null for another form
     */
    @ReadOperation(produces = "text/plain;charset=UTF-8")
    public @Nullable String text(@Selector String form) {
        return form.equals(DUMP) ? pools.all().stream().map(BufferPool::dump).collect(Collectors.joining("\n")) : null;
    }

    /**
     * Gives back all memory that is not in use.
     *
     * @param operation {@code trim}; there is no other
     * @return the bytes that each pool gave back
     */
    @WriteOperation
    public Map<String, Object> write(@Selector String operation) {
        if (!operation.equals(TRIM)) {
            throw new InvalidEndpointRequestException(
                    "there is no such operation: operation=" + operation + "; accepted: " + TRIM, "accepted: " + TRIM);
        }
        Map<String, Object> trimmed = new LinkedHashMap<>();
        pools.all().forEach(pool -> trimmed.put(pool.name(), pool.trim()));
        return trimmed;
    }
}
