// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Jdk;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The code of a miss must be too large for HotSpot to inline (FreqInlineSize). Otherwise the path of a hit would itself grow too large to
 * be inlined; decision 002 has the reasoning.
 */
class InliningTest {
    private static final int FREQ_INLINE_SIZE = 325;
    private static final Pattern INSTRUCTION = Pattern.compile("^ +(\\d+): [a-z]", Pattern.MULTILINE);

    @ParameterizedTest
    @CsvSource({"SlowAcquire,find", "SlowRelease,endAndPlace"})
    void theWayOfAMissIsTooLargeToBeInlined(String type, String method) throws Exception {
        String code = Jdk.run(
                "javap", "-c", "-p", "-cp", System.getProperty("java.class.path"), "dev.buffers.internal.pool." + type);
        Matcher header = Pattern.compile("^ .*\\b" + method + "\\(.*\\);$", Pattern.MULTILINE)
                .matcher(code);
        assertTrue(header.find(), () -> "no method " + method + " in " + code);
        String body = code.substring(header.end());
        int end = body.indexOf("\n\n");
        Matcher instruction = INSTRUCTION.matcher(end < 0 ? body : body.substring(0, end));
        int last = 0;
        while (instruction.find()) {
            last = Integer.parseInt(instruction.group(1));
        }
        int bytes = last + 1;
        assertTrue(bytes > FREQ_INLINE_SIZE, () -> method + " has " + bytes + " bytes of code");
    }
}
