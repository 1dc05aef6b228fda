// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.report;

import java.util.ArrayList;
import java.util.List;

/** The width of a terminal, and text that fits it. */
public final class Terminal {
    /** Of the narrowest usual terminal, which breaks a line of 80 characters. */
    public static final int WIDTH = 79;

    private Terminal() {}

    /** A text as lines that fit, broken at spaces; a word that is longer than a line stays whole. */
    public static List<String> wrapped(String text) {
        return wrapped("", text);
    }

    /** The same with an indent. */
    static List<String> wrapped(String indent, String text) {
        int most = WIDTH - indent.length();
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > most) {
            int within = rest.lastIndexOf(' ', most);
            int at = within > 0 ? within : rest.indexOf(' ', most);
            if (at < 0) {
                break;
            }
            lines.add(indent + rest.substring(0, at).stripTrailing());
            rest = rest.substring(at + 1);
        }
        lines.add(indent + rest);
        return lines;
    }
}
