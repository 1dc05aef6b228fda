// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** The counter {@code buffers.server.requests.rejected}. */
final class RejectedRequestMeters implements MeterBinder {
    private final RejectedRequests rejected;

    RejectedRequestMeters(RejectedRequests rejected) {
        this.rejected = rejected;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bind(registry, "max-requests", RejectedRequests::tooMany);
        bind(registry, "no-buffer", RejectedRequests::withoutBuffer);
    }

    private void bind(MeterRegistry registry, String reason, ToDoubleFunction<RejectedRequests> count) {
        FunctionCounter.builder("buffers.server.requests.rejected", rejected, count)
                .description("Requests that were answered 503")
                .baseUnit("requests")
                .tag("reason", reason)
                .register(registry);
    }
}
