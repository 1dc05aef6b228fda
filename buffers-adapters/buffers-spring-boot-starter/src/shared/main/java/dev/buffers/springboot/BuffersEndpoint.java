package dev.buffers.springboot;

import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The actuator endpoint {@code buffers}: each pool's settings and figures, and at most 100 leases that are out, the oldest first. */
@Endpoint(id = "buffers")
public final class BuffersEndpoint {
    private final ServerBufferPools pools;

    BuffersEndpoint(ServerBufferPools pools) {
        this.pools = pools;
    }

    /**
     * The pools as they are now.
     *
     * @return {@code pools}, a list
     */
    @ReadOperation
    public Map<String, Object> pools() {
        return Map.of(
                "pools", List.copyOf(pools.all().stream().map(PoolFigures::all).toList()));
    }
}
