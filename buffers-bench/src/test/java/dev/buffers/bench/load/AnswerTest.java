// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Right answers in any pieces, and wrong ones of each kind. */
class AnswerTest {
    private static final String RIGHT = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";

    private final Answer answer = new Answer(document("hello"));

    @Test
    void takesAnAnswerInAnyTwoPieces() throws WrongAnswer {
        for (int cut = 0; cut < RIGHT.length(); cut++) {
            answer.expect(document("hello"));
            assertFalse(answer.take(bytes(RIGHT.substring(0, cut))));
            assertTrue(answer.take(bytes(RIGHT.substring(cut))));
            assertTrue(answer.isClosing());
            assertEquals(5, answer.size());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello!",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhallo",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello!",
                "HTTP/1.1 200 OK\r\n\r\nhello"
            })
    void refusesWrongAnswers(String text) {
        answer.expect(document("hello"));
        assertThrows(WrongAnswer.class, () -> answer.take(bytes(text)));
    }

    private static Document document(String content) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes(content));
        return new Document("/x", content.length(), checksum.getValue());
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
