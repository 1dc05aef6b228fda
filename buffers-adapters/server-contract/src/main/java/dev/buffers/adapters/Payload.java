// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/** The bytes that go to and fro. */
public final class Payload {
    /** What the folder's {@code file.bin} holds. */
    public static final byte[] FILE = random(300_000);

    /** The content of the folder's {@code text.txt}: it compresses, but not to nothing. */
    public static final byte[] TEXT = text(300_000);

    /** The content of uploads, and of {@link Reply#STREAM}. */
    public static final byte[] LARGE = random(5_000_000);

    private Payload() {}

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static byte[] text(int length) {
        byte[] letters = "abcdefghijklmnop".getBytes(StandardCharsets.US_ASCII);
        byte[] bytes = random(length);
        for (int i = 0; i < length; i++) {
            bytes[i] = letters[bytes[i] & 15];
        }
        return bytes;
    }

    static byte[] digest(InputStream in) throws IOException {
        MessageDigest digest = sha256();
        byte[] some = new byte[8192];
        for (int n = in.read(some); n >= 0; n = in.read(some)) {
            digest.update(some, 0, n);
        }
        return digest.digest();
    }

    static byte[] digest(byte[] bytes) {
        return sha256().digest(bytes);
    }

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }
}
