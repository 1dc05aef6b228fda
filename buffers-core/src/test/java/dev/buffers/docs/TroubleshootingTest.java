// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.LeakTracking;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.io.BufferChain;
import dev.buffers.io.PooledInputStream;
import dev.buffers.support.Eventually;
import dev.buffers.support.Explicit;
import dev.buffers.support.Kind;
import dev.buffers.support.Leases;
import dev.buffers.support.Logged;
import dev.buffers.support.Manual;
import dev.buffers.support.TrimTime;
import dev.buffers.support.channels.PlannedSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The page on troubleshooting quotes each message of the library that is caused here, once, under a heading with its words. */
class TroubleshootingTest {
    private static final String PAGE = "docs/troubleshooting.md";

    private final List<String> said = new ArrayList<>();

    private void says(Executable mistake) {
        said.add(assertThrows(RuntimeException.class, mistake).getMessage());
    }

    @Test
    void pageQuotesEveryMessageExactly() throws Exception {
        atTheCap();
        beyondTheCap();
        withChannels();
        withoutStreamOfBytes();
        says(TroubleshootingTest::acquireFromPolicyThatCalls);
        BufferPool closed = small().build();
        closed.close();
        says(() -> closed.acquire(1));
        says(() -> ResolvedSettings.resolve("web", new Explicit(), Map.of("buffers.max", "lots"), Map.of()));
        says(() -> ResolvedSettings.resolve("web", new Explicit(), Map.of("buffers.leases", "recycled"), Map.of()));
        overdue();
        lost();
        closedEarly();
        misspelt();

        List<String> unquoted = new ArrayList<>(said);
        for (Section section : sections()) {
            for (String quote : section.quotes()) {
                List<String> matching = said.stream()
                        .filter(message -> numberless(message).matches(pattern(numberless(quote))))
                        .toList();
                assertEquals(
                        1,
                        matching.size(),
                        () -> quote + "\nis none of these messages, or several\n" + String.join("\n", said));
                assertTrue(unquoted.remove(matching.get(0)), () -> "quoted twice: " + quote);
                section.headingCode()
                        .forEach(code -> assertTrue(
                                numberless(matching.get(0)).contains(numberless(code)),
                                () -> "heading has " + code + "\nbut the message is\n" + matching.get(0)));
            }
        }
        assertEquals(List.of(), unquoted, "on no page");
    }

    /** As far as a line begins with a text in the source. */
    @Test
    void pageHasEveryLineOfTheLog() throws IOException {
        String page = Manual.page(PAGE);
        Pattern line = Pattern.compile("Callbacks\\.warn\\(\\s*\"([a-z][^\":]+)");
        List<String> missing = new ArrayList<>();
        int lines = 0;
        try (Stream<Path> sources = Files.walk(Manual.ROOT.resolve("buffers-core/src/main/java"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                for (MatchResult found :
                        line.matcher(Files.readString(source)).results().toList()) {
                    lines++;
                    String begins = found.group(1).replaceFirst(" for lack.*", "");
                    if (!page.contains("`" + begins)) {
                        missing.add(begins);
                    }
                }
            }
        }
        assertTrue(lines >= 3, "lines=" + lines);
        assertEquals(List.of(), missing);
    }

    @Test
    void listAtTopLinksEverySectionInOrder() throws Exception {
        String page = Manual.page(PAGE);
        List<String> linked = Pattern.compile("]\\(#(.*?)\\)")
                .matcher(page.substring(0, page.indexOf("\n## ")))
                .results()
                .map(link -> link.group(1))
                .toList();
        assertEquals(
                sections().stream()
                        .map(section -> DocLinksTest.anchor(section.heading()))
                        .toList(),
                linked);
    }

    /** One symptom: the heading, and the messages that the section quotes. */
    private record Section(String heading, List<String> quotes) {
        private static final Pattern CODE = Pattern.compile("`(.*?)`");

        List<String> headingCode() {
            return CODE.matcher(heading).results().map(code -> code.group(1)).toList();
        }
    }

    private static List<Section> sections() throws IOException {
        return Arrays.stream(Manual.page(PAGE).split("(?m)^### +"))
                .skip(1)
                .map(section -> new Section(
                        section.lines().findFirst().orElseThrow(),
                        Manual.blocks(section, "text").stream()
                                .map(String::strip)
                                .toList()))
                .toList();
    }

    private static String numberless(String message) {
        return message.replaceAll("[0-9]+", "0");
    }

    private static String pattern(String row) {
        return Arrays.stream(row.split("\\.\\.\\.", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    }

    private static BufferPool.Builder small() {
        return BufferPool.builder("web").policy("heap-view").max(64 << 10).maxSize(8192);
    }

    private void atTheCap() {
        try (BufferPool pool = small().build()) {
            List<PooledBuffer> held = Leases.all(pool, 4096);
            says(() -> pool.acquire(4096));
            says(() -> pool.acquire(4096, Duration.ofMillis(5)));
            Thread.currentThread().interrupt();
            says(() -> pool.acquire(4096, Duration.ofMinutes(1)));
            assertTrue(Thread.interrupted());
            says(() -> pool.acquire(100_000));
            held.forEach(PooledBuffer::close);
            says(() -> held.get(0).release());
        }
    }

    /** Waits for a message that begins so: the line of an earlier pool of this name may still come. */
    private void told(Logged log, String begin) {
        Eventually.holds("the log says: " + begin, () -> !log.lines(begin).isEmpty());
        said.add(log.lines(begin).get(0).lines().findFirst().orElseThrow());
    }

    private void beyondTheCap() {
        try (Logged log = new Logged("web");
                BufferPool pool = small().forServer().build();
                PooledBuffer all = pool.acquire(64 << 10)) {
            pool.acquire(4096).release();
            told(log, "pool is full");
            assertTrue(all.isOpen());
        }
    }

    private void withChannels() throws Exception {
        try (BufferPool pool = small().build()) {
            ChannelBuffers buffers = pool.channel();
            ByteBuffer input = buffers.input();
            input.position(input.limit());
            says(() -> buffers.readFrom(source()));
            input.flip().position(5).limit(5);
            says(() -> buffers.readFrom(source()));
            input.clear();
            says(() -> buffers.input(16_384));
            says(buffers::handOffInput);
            buffers.close();
            says(buffers::input);
        }
        try (BufferPool pool = small().guard(true).build();
                Logged log = new Logged("web");
                ChannelBuffers buffers = pool.channel()) {
            buffers.readFrom(new PlannedSource(new Random(1), 1) {
                @Override
                public int read(ByteBuffer into) {
                    beside("worker", () -> says(buffers::idle));
                    return 0;
                }
            });
            assertTrue(!log.records().isEmpty());
        }
        try (BufferPool pool = small().build()) {
            PooledInputStream[] stream = new PooledInputStream[1];
            stream[0] = PooledInputStream.from(
                    Channels.newChannel(new ByteArrayInputStream(new byte[1]) {
                        @Override
                        public int read(byte[] into, int offset, int length) {
                            says(() -> stream[0].read());
                            return -1;
                        }
                    }),
                    pool);
            assertEquals(-1, stream[0].read());
            stream[0].close();
        }
    }

    private void withoutStreamOfBytes() throws Exception {
        try (BufferPool pool = small().build();
                Socket socket = new Socket();
                DatagramChannel datagrams = DatagramChannel.open();
                PooledBuffer lease = pool.acquire(4096);
                BufferChain chain = new BufferChain()) {
            says(() -> PooledInputStream.from(socket.getChannel(), pool));
            says(() -> PooledInputStream.from(datagrams, pool));
            lease.buffer().put(new byte[100]);
            says(() -> chain.add(lease));
        }
    }

    private static ReadableByteChannel source() {
        return Channels.newChannel(new ByteArrayInputStream(new byte[1]));
    }

    private static void beside(String thread, Runnable work) {
        Thread other = new Thread(work, thread);
        other.start();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Its memory comes from the pool that asks it. */
    private static void acquireFromPolicyThatCalls() {
        BufferPool[] asking = new BufferPool[1];
        try (BufferPool pool = small().policy(
                        Kind.own(bytes -> asking[0].acquire(bytes).buffer()))
                .build()) {
            asking[0] = pool;
            pool.acquire(1);
        }
    }

    private void overdue() {
        try (Logged log = new Logged("web");
                BufferPool pool =
                        small().leaks(LeakTracking.older(Duration.ofHours(1))).build();
                PooledBuffer lease = pool.acquire(4096)) {
            new TrimTime(pool).seconds(1);
            told(log, "a lease is out");
            assertTrue(lease.isOpen());
        }
    }

    private void lost() {
        try (Logged log = new Logged("web");
                BufferPool pool = small().build()) {
            Leases.lose(pool, 4096);
            Eventually.collected(
                    "the loss is told", () -> !log.lines("a lease was lost").isEmpty());
            said.add(log.lines("a lease was lost").get(0));
        }
    }

    private void closedEarly() {
        try (Logged log = new Logged("web")) {
            BufferPool pool = small().build();
            PooledBuffer lease = pool.acquire(4096);
            pool.close();
            lease.release();
            said.addAll(log.lines("was closed"));
        }
    }

    private void misspelt() {
        System.setProperty("buffers.wbe.max", "1m");
        try (Logged log = new Logged("web")) {
            small().build().close();
            said.addAll(log.lines("wbe"));
        } finally {
            System.clearProperty("buffers.wbe.max");
        }
    }
}
