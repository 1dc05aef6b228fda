// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Jdk;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * An acquire takes the view out of its slot in the method that began the tenancy, before any call. If the stack overflows at a call in
 * between, the slot stays held with its view in it, and no collection finds that (Slot, S4). This reads the bytecode: whether a call
 * needs stack depends on what HotSpot has compiled by then.
 */
class TakenViewTest {
    private static final Pattern METHOD = Pattern.compile("^  [^ ].*?(\\w+)\\(.*\\);$");
    private static final Pattern CALL = Pattern.compile(": invoke\\w+ .*Method (?:\\S+\\.)?\"?(\\w+)\"?:");
    private static final Pattern TAKE = Pattern.compile(": getfield .*Field dev/buffers/internal/slab/Slot\\.view:");

    /** The slow path has asked for room that lasts until its caller returns; after it only the state is read. */
    private static final List<String> BEGIN = List.of("begin", "beginReturned", "find", "findOrRefuse", "findOrWait");

    @Test
    void noCallIsBetweenBeginAndTakenView() throws Exception {
        String code = Jdk.run(
                "javap",
                "-c",
                "-p",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.buffers.internal.pool.SlabPool");
        List<String> wrong = new ArrayList<>();
        int taken = 0;
        String method = "";
        String last = "no call";
        for (String line : code.lines().toList()) {
            Matcher header = METHOD.matcher(line);
            Matcher call = CALL.matcher(line);
            if (header.find()) {
                method = header.group(1);
                last = "no call";
            } else if (call.find()) {
                last = call.group(1).equals("stateVolatile") ? last : call.group(1);
            } else if (TAKE.matcher(line).find()) {
                taken++;
                if (!BEGIN.contains(last)) {
                    wrong.add(method + ": after " + last);
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(taken >= 4, () -> "too few found in " + code);
    }
}
