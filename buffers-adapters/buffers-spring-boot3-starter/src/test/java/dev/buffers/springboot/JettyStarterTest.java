// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

/** Jetty 12.0 in Boot 3.5. */
class JettyStarterTest extends JettyContract {}
