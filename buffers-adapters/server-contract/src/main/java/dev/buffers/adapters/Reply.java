// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A server's answer at {@link #path}, with status 200. A blocking handler reads the request's body from one stream and writes the answer's
 * to another. The handler sets no content length; the framework sets it if it knows the length.
 */
public enum Reply {
    /** The SHA-256 of the body, in hexadecimal. */
    DIGEST {
        @Override
        public void reply(InputStream in, OutputStream out) throws IOException {
            out.write(HexFormat.of().formatHex(Payload.digest(in)).getBytes(StandardCharsets.US_ASCII));
        }
    },
    /** The body, when all of it has come. */
    ECHO {
        @Override
        public void reply(InputStream in, OutputStream out) throws IOException {
            out.write(in.readAllBytes());
        }
    },
    /** {@link Payload#LARGE} in many writes, the first of them flushed: chunked in HTTP/1.1. */
    STREAM {
        @Override
        public void reply(InputStream in, OutputStream out) throws IOException {
            byte[] bytes = Payload.LARGE;
            for (int at = 0; at < bytes.length; at += WRITE) {
                out.write(bytes, at, Math.min(WRITE, bytes.length - at));
                if (at == 0) {
                    out.flush();
                }
            }
        }
    },
    /** The thread that runs the handler. */
    THREAD {
        @Override
        public void reply(InputStream in, OutputStream out) throws IOException {
            out.write(Thread.currentThread().toString().getBytes(StandardCharsets.UTF_8));
        }
    };

    private static final int WRITE = 10_000;

    /** {@code /digest} and so on. */
    public String path() {
        return "/" + name().toLowerCase(Locale.ROOT);
    }

    /** Called by the framework's blocking handler, which closes neither stream before this returns. */
    public abstract void reply(InputStream in, OutputStream out) throws IOException;
}
