// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import java.util.List;
import org.junit.jupiter.api.Test;

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

    private static RunningApplication busy(String property) {
        return RunningApplication.start(
                List.of(TestApplication.class, ThisBoot.UndertowFactory.class, OverloadFilterTest.Busy.class),
                property);
    }

    @Test
    void asynchronousRequestThatFailsForWantOfBufferIsUnavailable() throws Exception {
        try (RunningApplication application = busy("spring.application.name=test")) {
            OverloadFilterTest.assertAsynchronousFailuresAreAnswered(application);
        }
    }

    @Test
    void asynchronousRequestReturnsItsPlaceOnce() throws Exception {
        try (RunningApplication application = busy("buffers.server.max-requests=1")) {
            OverloadFilterTest.assertAsynchronousRequestReturnsItsPlaceOnce(application);
        }
    }

    @Test
    void requestThatFailsAfterStartAsyncIsUnavailableAndReturnsItsPlace() throws Exception {
        try (RunningApplication application = busy("buffers.server.max-requests=1")) {
            OverloadFilterTest.assertFailuresAfterStartAsyncAreAnswered(application);
        }
    }
}
