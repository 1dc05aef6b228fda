// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A client's side of {@code permessage-deflate} (RFC 7692). At random both sides refer to earlier messages or none does, and this one
 * compresses or only packs: then a frame is as long as its message. One thread.
 */
final class PerMessageDeflate implements AutoCloseable {
    private static final String NAME = "permessage-deflate";
    private static final int LONGEST = 100_000;
    private static final byte[] END = {0, 0, (byte) 0xFF, (byte) 0xFF};

    private final Random random;
    private final boolean refers;
    private final Deflater deflater;
    private final Inflater inflater = new Inflater(true);

    PerMessageDeflate(Random random) {
        this.random = random;
        this.refers = random.nextBoolean();
        int level = random.nextBoolean() ? Deflater.DEFAULT_COMPRESSION : Deflater.NO_COMPRESSION;
        this.deflater = new Deflater(level, true);
    }

    /** Whether both sides refer to earlier messages. */
    boolean refers() {
        return refers;
    }

    /** The header of the request. */
    String offer() {
        return "Sec-WebSocket-Extensions: " + NAME
                + (refers ? "" : "; client_no_context_takeover; server_no_context_takeover");
    }

    /** Whether a head accepts the offer. */
    boolean isAccepted(String head) {
        String lower = head.toLowerCase(Locale.ROOT);
        return lower.contains(NAME) && (refers || lower.contains("server_no_context_takeover"));
    }

    /** The payload of a message of these bytes, each with a random sign. */
    byte[] deflate(byte[] bytes) {
        byte[] signed = bytes.clone();
        for (int i = 0; i < signed.length; i++) {
            signed[i] |= (byte) (random.nextInt() & 0x80);
        }
        if (!refers) {
            deflater.reset();
        }
        deflater.setInput(signed);
        byte[] out = new byte[LONGEST];
        int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
        return Arrays.copyOf(out, length - END.length);
    }

    /** A message without the signs. */
    byte[] inflate(byte[] payload) throws DataFormatException {
        if (!refers) {
            inflater.reset();
        }
        byte[] in = Arrays.copyOf(payload, payload.length + END.length);
        System.arraycopy(END, 0, in, payload.length, END.length);
        inflater.setInput(in);
        byte[] message = new byte[LONGEST];
        int length = inflater.inflate(message);
        if (inflater.getRemaining() > 0) {
            throw new DataFormatException("left=" + inflater.getRemaining() + ", length=" + length);
        }
        for (int i = 0; i < length; i++) {
            message[i] &= 0x7F;
        }
        return Arrays.copyOf(message, length);
    }

    @Override
    public void close() {
        deflater.end();
        inflater.end();
    }
}
