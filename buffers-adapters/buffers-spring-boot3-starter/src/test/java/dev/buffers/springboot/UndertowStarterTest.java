// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

/** Undertow 2.3 in Boot 3.5. */
class UndertowStarterTest extends ServerContract {
    @Override
    String server() {
        return "Undertow";
    }

    @Override
    RunningApplication start(String... properties) {
        return ThisBoot.undertow(properties);
    }
}
