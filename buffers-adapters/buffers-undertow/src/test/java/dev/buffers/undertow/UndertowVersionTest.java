// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.undertow.Version;
import org.junit.jupiter.api.Test;

/** All these tests run twice, on Undertow 2.4 and on 2.3: this test checks the version. */
class UndertowVersionTest {
    @Test
    void versionIsThatOfBuild() {
        assertEquals(System.getProperty("undertow.version"), Version.getVersionString());
    }
}
