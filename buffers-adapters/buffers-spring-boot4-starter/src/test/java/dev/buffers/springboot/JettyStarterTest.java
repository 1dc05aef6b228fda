// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

/** Jetty 12.1 in Boot 4. */
class JettyStarterTest extends JettyContract {}
