// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.io.PooledInputStream;
import dev.buffers.io.PooledOutputStream;
import dev.buffers.io.Transfers;
import dev.buffers.support.Eventually;
import dev.buffers.support.Logged;
import dev.buffers.support.Threads;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The place of a lease is the line of the user's code to which it came, whichever of our classes has acquired it. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class LeakPlaceTest {
    @Parameter
    boolean guard;

    private BufferPool pool() {
        return BufferPool.builder("places")
                .policy("heap-view")
                .max(8 << 20)
                .leaks(LeakTracking.all())
                .guard(guard)
                .build();
    }

    private static ReadableByteChannel channel(String text) {
        return Channels.newChannel(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** The method of this class that is the first of each open lease's stack, the oldest lease first. */
    private static List<String> places(BufferPool pool) {
        return pool.openLeases().stream()
                .map(open -> open.acquisition().orElseThrow().stack().get(0))
                .map(frame -> frame.getClassName().equals(LeakPlaceTest.class.getName())
                        ? frame.getMethodName()
                        : frame.toString())
                .toList();
    }

    /** The ends of the dump's lines for the places of open leases. */
    private static List<String> dumped(BufferPool pool) {
        return pool.dump()
                .lines()
                .filter(line -> line.contains("acquired by thread"))
                .map(line -> line.replaceFirst(".* at ", "").replaceFirst("\\(.*", ""))
                .toList();
    }

    private static ChannelBuffers read(BufferPool pool) throws IOException {
        ChannelBuffers channel = pool.channel();
        channel.readFrom(channel("text"));
        return channel;
    }

    private static PooledBuffer handOff(ChannelBuffers channel) {
        return channel.handOffInput();
    }

    private static PooledBuffer handOffPart(ChannelBuffers channel) {
        return channel.handOffInput(1);
    }

    private static PooledBuffer answer(ChannelBuffers channel) {
        return channel.acquire(100);
    }

    @Test
    void leaseOfChannelHasPlaceOfHandOff() throws Exception {
        try (BufferPool pool = pool();
                ChannelBuffers one = read(pool);
                ChannelBuffers other = read(pool)) {
            assertEquals(List.of("read", "read"), places(pool));
            try (PooledBuffer whole = handOff(one);
                    PooledBuffer part = handOffPart(other);
                    PooledBuffer answer = answer(one)) {
                assertEquals(List.of("handOff", "handOffPart", "handOffPart", "answer"), places(pool));
                assertEquals(
                        List.of( // the rest of the other input was acquired where its part was handed off
                                "dev.buffers.LeakPlaceTest.handOff",
                                "dev.buffers.LeakPlaceTest.handOffPart",
                                "dev.buffers.LeakPlaceTest.answer"),
                        dumped(pool));
                assertTrue(whole.isOpen() && part.isOpen() && answer.isOpen());
            }
            assertEquals(List.of("handOffPart"), places(pool), "the rest of the other channel's input");
        }
    }

    /** The slot of an input has the place of its present lease. */
    @Test
    void nextInputHasPlaceOfItsRead() throws Exception {
        try (BufferPool pool = pool();
                ChannelBuffers channel = read(pool)) {
            handOff(channel).release();
            channel.readFrom(channel("next"));
            assertEquals(List.of("nextInputHasPlaceOfItsRead"), places(pool));
        }
    }

    @Test
    void reportNamesThreadThatHandedOff() throws Exception {
        try (BufferPool pool = pool();
                ChannelBuffers channel = read(pool)) {
            AtomicReference<String> name = new AtomicReference<>();
            AtomicReference<PooledBuffer> lease = new AtomicReference<>();
            Threads.run(() -> {
                name.set(Thread.currentThread().getName());
                lease.set(handOff(channel));
            });
            assertEquals(
                    name.get(),
                    pool.openLeases().get(0).acquisition().orElseThrow().thread());
            lease.get().release();
        }
    }

    /** Two handlers forget what one loop has read. */
    @Test
    void lostInputsHandedOffByTwoMethodsAreTwoPlacesInLog() throws Exception {
        try (Logged log = new Logged("places")) {
            BufferPool pool = pool();
            loseTwo(pool);
            Eventually.collected("both are found", () -> pool.stats().leaks() == 2);
            pool.close(); // so that the log gets the second one at once, too
            Eventually.holds(
                    "the log has both",
                    () -> places(log).size() == 2
                            || String.join("", log.lines("a lease was lost")).contains("1 more"));
            assertEquals(
                    Set.of("\tat dev.buffers.LeakPlaceTest.handOff", "\tat dev.buffers.LeakPlaceTest.handOffPart"),
                    Set.copyOf(places(log)));
        }
    }

    /** The first frame of each stack of lost leases. */
    private static List<String> places(Logged log) {
        List<String> lines =
                log.lines("a lease was lost").stream().flatMap(String::lines).toList();
        List<String> places = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i - 1).contains(", acquired by thread ")) {
                places.add(lines.get(i).replaceFirst("\\(.*", ""));
            }
        }
        return places;
    }

    private static void loseTwo(BufferPool pool) throws IOException {
        try (ChannelBuffers one = read(pool);
                ChannelBuffers other = read(pool)) {
            handOff(one);
            handOffPart(other);
        }
    }

    @Test
    void leaseOfStreamHasLineOfCaller() throws Exception {
        try (BufferPool pool = pool();
                InputStream in = PooledInputStream.from(channel("text"), pool);
                PooledOutputStream out =
                        PooledOutputStream.to(Channels.newChannel(new ByteArrayOutputStream()), pool)) {
            readOne(in);
            writeOne(out);
            assertEquals(List.of("readOne", "writeOne"), places(pool));
            assertEquals(
                    List.of("dev.buffers.LeakPlaceTest.readOne", "dev.buffers.LeakPlaceTest.writeOne"), dumped(pool));
        }
    }

    private static void readOne(InputStream in) throws IOException {
        assertEquals('t', in.read());
    }

    private static void writeOne(PooledOutputStream out) throws IOException {
        out.write(1);
    }

    /** The frames between are the JDK's. */
    @Test
    void leaseOfStreamUnderReaderHasLineOfReadersCallerInDump() throws Exception {
        try (BufferPool pool = pool();
                BufferedReader reader = new BufferedReader(new InputStreamReader(
                        PooledInputStream.from(channel("\n".repeat(100_000)), pool), StandardCharsets.US_ASCII))) {
            readLine(reader);
            assertEquals(List.of("dev.buffers.LeakPlaceTest.readLine"), dumped(pool));
        }
    }

    private static void readLine(BufferedReader reader) throws IOException {
        assertEquals("", reader.readLine());
    }

    @Test
    void leaseOfTransferHasLineOfCaller() throws Exception {
        try (BufferPool pool = pool()) {
            List<String> seen = new ArrayList<>();
            transfer(new Transfers(pool), new ByteArrayInputStream(new byte[0]) {
                @Override
                public int read(byte[] into, int offset, int length) {
                    seen.addAll(places(pool));
                    return -1;
                }
            });
            assertEquals(List.of("transfer"), seen);
        }
    }

    private static void transfer(Transfers transfers, InputStream in) throws IOException {
        transfers.transfer(in, Channels.newChannel(new ByteArrayOutputStream()));
    }
}
