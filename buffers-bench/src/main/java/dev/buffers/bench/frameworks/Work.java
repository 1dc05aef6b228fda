// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import java.util.Locale;

/** What a server does for a request. */
enum Work {
    /** The framework's own handler of static files, as it is shipped. */
    FILES,
    /** Code of the user's that writes the file's bytes, which it has in memory, to a blocking stream. */
    STREAMS,
    /** The same on a virtual thread for each request. */
    VIRTUAL;

    static Work named(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
