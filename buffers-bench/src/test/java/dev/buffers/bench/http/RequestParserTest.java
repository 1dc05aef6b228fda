// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads: whole, in pieces, several at once, and those that must be refused. */
class RequestParserTest {
    private static final int LIMIT = 8192;
    private static final String HEAD = "GET /a%20b.txt?q=1 HTTP/1.1\r\nHost: localhost:8080\r\n"
            + "cONNECTION: foo , Close\r\nRange:\t bytes=0-9 \r\nX-Other: a b\r\n\r\n";

    @Test
    void parserReadsFieldsOfRequest() throws Refusal {
        Request request = parse(HEAD);

        assertEquals(Request.Method.GET, request.method());
        assertEquals("/a%20b.txt?q=1", request.target());
        assertFalse(request.keepAlive());
        assertEquals(0, request.contentLength());
        assertFalse(request.expects());
    }

    @Test
    void takesAHeadCutInTwoAnywhere() throws Refusal {
        Request whole = parse(HEAD);
        for (int cut = 0; cut < HEAD.length(); cut++) {
            RequestParser parser = new RequestParser(LIMIT);
            ByteBuffer in = ByteBuffer.allocate(LIMIT);
            in.put(bytes(HEAD.substring(0, cut))).flip();

            assertNull(parser.next(in), "cut=" + cut);
            assertEquals(0, in.position(), "nothing is taken early: cut=" + cut);

            in.compact().put(bytes(HEAD.substring(cut))).flip();
            assertEquals(whole, parser.next(in), "cut=" + cut);
            assertFalse(in.hasRemaining());
        }
    }

    @Test
    void takesAHeadByteByByte() throws Refusal {
        RequestParser parser = new RequestParser(LIMIT);
        ByteBuffer in = ByteBuffer.allocate(LIMIT);
        String text = "\r\n\r\n" + HEAD;
        for (int i = 0; i < text.length() - 1; i++) {
            in.put((byte) text.charAt(i)).flip();
            assertNull(parser.next(in));
            in.compact();
        }
        in.put((byte) '\n').flip();
        assertEquals(parse(HEAD), parser.next(in));
    }

    @Test
    void takesPipelinedHeadsOneByOne() throws Refusal {
        RequestParser parser = new RequestParser(LIMIT);
        ByteBuffer in = ByteBuffer.wrap(
                bytes("GET /1 HTTP/1.1\r\nHost: a\r\n\r\n\r\nHEAD /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3"));

        assertEquals("/1", target(parser.next(in)));
        Request second = parser.next(in);
        assertEquals("/2", target(second));
        assertEquals(Request.Method.HEAD, second.method());
        assertNull(parser.next(in));
        assertEquals(6, in.remaining());
    }

    @Test
    void keepAliveFollowsVersionAndHeader() throws Refusal {
        assertTrue(parse("GET / HTTP/1.1\r\nHost: a\r\n\r\n").keepAlive());
        assertFalse(
                parse("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").keepAlive());
        assertFalse(parse("GET / HTTP/1.0\r\n\r\n").keepAlive());
        assertTrue(parse("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").keepAlive());
        assertFalse(
                parse("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n").keepAlive());
    }

    @Test
    void readsABodysLength() throws Refusal {
        Request request = parse("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 00012\r\nExpect: 100-continue\r\n\r\n");

        assertEquals(Request.Method.OTHER, request.method());
        assertEquals(12, request.contentLength());
        assertTrue(request.expects());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /\r\n\r\n", // HTTP/0.9
                "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
                " GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "G@T / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / http/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.\r\nHost: a\r\n\r\n",
                "GET /\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\nHost: a\r\n\r\n", // bare line feed
                "GET / HTTP/1.1\r\nHost: a\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", // bare carriage return
                "GET / HTTP/1.1\r\nHost: a\r\nX: a\u0000b\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n", // no Host
                "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n", // space before the colon
                "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", // folded
                "GET / HTTP/1.1\r\n X: b\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nnocolon\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999999999999\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"
            })
    void ambiguousHeadIsRefused(String head) {
        assertEquals(Status.BAD_REQUEST, refusal(head));
    }

    @ParameterizedTest
    @CsvSource({
        "GET / HTTP/2.0, VERSION_NOT_SUPPORTED",
        "GET / HTTP/0.9, VERSION_NOT_SUPPORTED",
        "GET / HTTP/11.1, BAD_REQUEST"
    })
    void refusesOtherVersions(String line, Status status) {
        assertEquals(status, refusal(line + "\r\nHost: a\r\n\r\n"));
    }

    @Test
    void refusesTransferCodings() {
        assertEquals(
                Status.NOT_IMPLEMENTED, refusal("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"));
    }

    @Test
    void takesAHeadOfExactlyTheLimitAndNoLongerOne() throws Refusal {
        String start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
        String longest = start + "x".repeat(LIMIT - start.length() - 4) + "\r\n\r\n";

        assertEquals(LIMIT, longest.length());
        assertNotNull(parse(longest));
        assertEquals(Status.HEAD_TOO_LARGE, refusal(start + "x".repeat(LIMIT) + "\r\n\r\n"));
        assertEquals(Status.HEAD_TOO_LARGE, refusal(longest.replace("\r\n\r\n", "x\r\n\r\n")));
        assertEquals(Status.URI_TOO_LONG, refusal("GET /" + "x".repeat(LIMIT)));
    }

    private static Request parse(String head) throws Refusal {
        Request request = new RequestParser(LIMIT).next(ByteBuffer.wrap(bytes(head)));
        assertNotNull(request);
        return request;
    }

    private static Status refusal(String head) {
        return assertThrows(Refusal.class, () -> parse(head)).status();
    }

    private static String target(Request request) {
        assertNotNull(request);
        return request.target();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
