// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.function.Executable;

/** Asserts that an action is refused, and that the message says what a reader needs. */
public final class Refusal {

    private Refusal() {}

    /** The message of the refusal, which contains all these parts. */
    public static String of(Executable action, String... parts) {
        return of(IllegalArgumentException.class, action, parts);
    }

    /** The same of a refusal by another exception. */
    public static String of(Class<? extends Exception> type, Executable action, String... parts) {
        String message = assertThrows(type, action).getMessage();
        for (String part : List.of(parts)) {
            assertTrue(message.contains(part), () -> "expected <" + part + "> in <" + message + ">");
        }
        return message;
    }
}
