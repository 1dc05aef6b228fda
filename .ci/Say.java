// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0

/** Prints its argument, also where Maven prints only errors. */
public final class Say {
    private Say() {}

    public static void main(String[] arguments) {
        System.err.println(arguments[0]);
    }
}
