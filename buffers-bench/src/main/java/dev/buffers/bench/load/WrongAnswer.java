// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import java.io.IOException;

/** The server answered with the wrong content, or echoed other bytes. */
public final class WrongAnswer extends IOException {
    private static final long serialVersionUID = 1;

    public WrongAnswer(String message) {
        super(message);
    }
}
