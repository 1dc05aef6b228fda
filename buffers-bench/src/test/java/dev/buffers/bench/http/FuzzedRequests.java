// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.http.Request.Method;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

/**
 * Any bytes as what a client sends, read as a connection reads them. However they are cut, the same requests and the same refusal come
 * out, within one buffer; no request reaches a file that the site does not have, and no answer carries anything else.
 */
final class FuzzedRequests implements AutoCloseable {
    private static final int BUFFER = BufferSource.BUFFER_SIZE;
    private static final Pattern HEAD = Pattern.compile("HTTP/1\\.1 [2-5]\\d\\d [A-Za-z ]+\r\n"
            + "((Date|Content-Type|Last-Modified|Accept-Ranges|Allow|Content-Length|Connection): [ -~]+\r\n)+\r\n");

    private final Site site;
    private final Set<String> contents;

    /** Makes a site in {@code folder}, with links that lead out of it. */
    FuzzedRequests(Path folder) throws IOException {
        Path real = folder.toRealPath();
        Path served = Files.createDirectories(real.resolve("site/sub")).getParent();
        Path secret = Files.writeString(real.resolve("secret.txt"), "a secret");
        Set<Path> files = Set.of(
                Files.writeString(served.resolve("index.html"), "the root"),
                Files.writeString(served.resolve("a b"), "a name with a space"),
                Files.writeString(served.resolve("empty"), ""),
                Files.writeString(served.resolve("sub/index.html"), "what lies below"));
        Files.createSymbolicLink(served.resolve("inside"), served.resolve("sub"));
        Files.createSymbolicLink(served.resolve("outside"), real);
        Files.createSymbolicLink(served.resolve("sub/secret"), secret);
        List<String> texts = new ArrayList<>();
        for (Path file : files) {
            texts.add(Files.readString(file));
        }
        contents = Set.copyOf(texts);
        site = new Site(served);
    }

    /** The first byte says how long a head may be, the others are the input of the connection. */
    void run(byte[] input) throws IOException {
        if (input.length > 0) {
            int limit = Math.min(BUFFER, 64 + (input[0] & 0xFF) * 32);
            byte[] stream = Arrays.copyOfRange(input, 1, input.length);
            List<String> whole = read(stream, limit, () -> BUFFER, true);
            Random random = new Random(Arrays.hashCode(input));
            assertEquals(whole, read(stream, limit, () -> 1, false));
            assertEquals(whole, read(stream, limit, () -> 1 + random.nextInt(1 + stream.length / 2), false));
        }
    }

    private List<String> read(byte[] stream, int limit, IntSupplier pieces, boolean answered) throws IOException {
        List<String> seen = new ArrayList<>();
        RequestParser parser = new RequestParser(limit);
        ByteBuffer in = ByteBuffer.allocate(BUFFER);
        long bodyToSkip = 0;
        int at = 0;
        try {
            while (at < stream.length) {
                int n = Math.min(Math.min(pieces.getAsInt(), in.remaining()), stream.length - at);
                in.put(stream, at, n).flip();
                at += n;
                Request request;
                do {
                    int here = (int) Math.min(bodyToSkip, in.remaining());
                    in.position(in.position() + here);
                    bodyToSkip -= here;
                    request = bodyToSkip > 0 ? null : parser.next(in);
                    if (request != null) {
                        seen.add(request.toString());
                        bodyToSkip = request.contentLength();
                        if (answered) {
                            answer(request);
                        }
                    }
                } while (request != null);
                in.compact();
                assertTrue(in.position() < limit, "kept, though nothing can come of it: bytes=" + in.position());
            }
            seen.add("unread: " + in.position());
        } catch (Refusal refusal) {
            seen.add(refusal.status() + ": " + refusal.getMessage());
        }
        return seen;
    }

    private void answer(Request request) throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        Response response = site.answer(request, false);
        while (!response.isFilled()) {
            ByteBuffer room = ByteBuffer.allocate(BUFFER);
            response.fill(room);
            sent.write(room.array(), 0, room.position());
        }
        check(request, sent.toString(StandardCharsets.ISO_8859_1));
    }

    private void check(Request request, String sent) {
        int end = sent.indexOf("\r\n\r\n") + 4;
        String head = sent.substring(0, end);
        String body = sent.substring(end);
        assertTrue(HEAD.matcher(head).matches(), head);
        String status = head.substring(9, 12);
        Set<String> expected = status.equals("200") ? contents : Set.of(head.substring(9, head.indexOf('\r')) + "\n");
        assertTrue(request.method() == Method.HEAD ? body.isEmpty() : expected.contains(body), () -> head + body);
        if (request.method() != Method.HEAD) {
            assertTrue(head.contains("\r\nContent-Length: " + body.length() + "\r\n"), () -> head + body);
        }
    }

    @Override
    public void close() {
        site.close();
    }
}
