// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import jakarta.servlet.http.HttpServletRequest;

/** The requests for which no limit holds. */
interface UnlimitedPaths {
    UnlimitedPaths NONE = request -> false;

    boolean has(HttpServletRequest request);
}
