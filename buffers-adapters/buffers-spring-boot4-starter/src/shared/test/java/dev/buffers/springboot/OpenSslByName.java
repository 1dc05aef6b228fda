// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.apache.tomcat.util.net.jsse.JSSEImplementation;

/** By its name: OpenSSL itself may not be on this machine. */
public final class OpenSslByName extends JSSEImplementation {}
