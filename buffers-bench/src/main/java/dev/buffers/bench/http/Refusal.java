// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

/** A request that is answered with an error status. Made without a stack trace: the client's mistake is not ours. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final Status status;

    Refusal(Status status, String reason) {
        super(reason, null, false, false);
        this.status = status;
    }

    Status status() {
        return status;
    }
}
