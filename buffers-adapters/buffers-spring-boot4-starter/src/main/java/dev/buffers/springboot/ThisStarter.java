// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

/** Which Spring Boot this starter is for. */
final class ThisStarter {
    /** The first part of its version. */
    static final String BOOT = "4";

    private ThisStarter() {}
}
