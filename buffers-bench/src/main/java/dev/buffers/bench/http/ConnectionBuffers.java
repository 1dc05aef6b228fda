// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;

/** The buffers of one connection: one that it reads into, and a queue of those on their way out. */
interface ConnectionBuffers extends AutoCloseable {

    /** Makes sure of a buffer to read into while nothing is unread: false at the cap. */
    boolean takeInput();

    /** That buffer, or the one with the unread bytes, in fill mode. */
    ByteBuffer input();

    /** Reads once into it: the bytes read, or -1 at the end of the stream. */
    int readFrom(ReadableByteChannel channel) throws IOException;

    /** Fills a buffer with the next part of a response, and queues it: false at the cap. */
    boolean send(Response response) throws IOException;

    /** Bytes queued and not yet written. */
    long queued();

    /** Writes once: true when the queue is empty. */
    boolean writeTo(GatheringByteChannel channel) throws IOException;

    /** Gives back whatever holds no unread bytes. */
    void idle();

    @Override
    void close();
}
