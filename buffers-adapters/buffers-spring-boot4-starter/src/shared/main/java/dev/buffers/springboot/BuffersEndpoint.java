// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.convert.DurationStyle;

/**
 * The actuator endpoint {@code buffers}: each pool's settings and figures, and at most 100 leases that are out, the oldest first; {@code
 * buffers/dump}, the same as text; and, to write, {@code buffers/trim} and {@code
 * buffers/leaks/<value>}.
 */
@Endpoint(id = "buffers")
public final class BuffersEndpoint {
    private static final String DUMP = "dump";
    private static final String TRIM = "trim";
    private static final String LEAKS = "leaks";
    private static final String OLDER = "older:";
    private static final String SAMPLE = "sample:[0-9]{1,9}";

    private final StarterPools pools;

    BuffersEndpoint(StarterPools pools) {
        this.pools = pools;
    }

    /**
     * The pools as they are now.
     *
     * @return {@code pools}, a list
     */
    @ReadOperation
    public Map<String, Object> pools() {
        List<Map<String, Object>> all = new ArrayList<>();
        pools.all().forEach(pool -> all.add(PoolFigures.all(pool)));
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
     * @return the bytes that each pool gave back, or why the operation is refused
     */
    @WriteOperation
    public Object write(@Selector String operation) {
        if (!operation.equals(TRIM)) {
            return refused("unknown operation: operation=" + operation, TRIM + ", " + LEAKS + "/<value>");
        }
        Map<String, Object> trimmed = new LinkedHashMap<>();
        pools.all().forEach(pool -> trimmed.put(pool.name(), pool.trim()));
        return trimmed;
    }

    /**
     * Changes how much is kept of each lease from now on.
     *
     * @param setting {@code leaks}; there is no other
     * @param value a value of that setting, such as {@code sample:128}
     * @return how each pool tracks its leases now, or why the value is refused
     */
    @WriteOperation
    public Object change(@Selector String setting, @Selector String value) {
        if (!setting.equals(LEAKS)) {
            return refused("cannot be changed: setting=" + setting, LEAKS);
        }
        LeakTracking tracking;
        try {
            tracking = tracking(value);
        } catch (RuntimeException e) {
            return refused(
                    "bad value: leaks=" + value, "count, all, sample:<n>, or older:<duration> such as older:30s");
        }
        Map<String, Object> changed = new LinkedHashMap<>();
        for (BufferPool pool : pools.all()) {
            pool.leaks(tracking);
            changed.put(pool.name(), pool.leaks().toString());
        }
        return changed;
    }

    private static LeakTracking tracking(String text) {
        if (text.startsWith(OLDER)) {
            return LeakTracking.older(duration(text.substring(OLDER.length())));
        } else if (text.matches(SAMPLE)) {
            return LeakTracking.sample(Integer.parseInt(text.substring(text.indexOf(':') + 1)));
        }
        return Stream.of(LeakTracking.count(), LeakTracking.all())
                .filter(value -> value.toString().equals(text))
                .findFirst()
                .orElseThrow();
    }

    /** A number without a unit is no time: to Spring it is one of milliseconds. */
    private static Duration duration(String text) {
        if (text.isEmpty() || Character.isDigit(text.charAt(text.length() - 1))) {
            throw new IllegalArgumentException("no unit");
        }
        return DurationStyle.detectAndParse(text);
    }

    /** Not an exception: Spring Boot hides its message by default. */
    private static WebEndpointResponse<Map<String, Object>> refused(String fault, String accepted) {
        int status = WebEndpointResponse.STATUS_BAD_REQUEST;
        return new WebEndpointResponse<>(Map.of("status", status, "error", fault + "; accepted: " + accepted), status);
    }
}
