// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.AcquireOutcome;
import dev.buffers.BufferPool;
import dev.buffers.ChannelBuffers;
import dev.buffers.PoolStats;
import dev.buffers.PooledBuffer;
import dev.buffers.internal.settings.SettingKey;
import dev.buffers.internal.slab.SizeClasses;
import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Jvm;
import dev.buffers.support.Manual;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the page on sizing reckons is so. */
class SizingTest {

    @BeforeEach
    void room() {
        DirectRoom.make();
    }

    private static void assertSaid(String text) throws IOException {
        String page = Manual.page("docs/sizing.md").replaceAll("\\s+", " ");
        assertTrue(page.contains(text), () -> "not on the page: " + text);
    }

    @Test
    void aThousandRequestsFit() throws IOException {
        try (BufferPool pool = BufferPool.builder("sized").max(16 << 20).build()) {
            List<PooledBuffer> held = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                held.add(pool.acquire(8 << 10));
                held.add(pool.acquire(4 << 10));
            }
            PoolStats stats = Conservation.check(pool, 2000);
            assertEquals(1000 * (12 << 10), stats.leasedBytes());
            held.forEach(PooledBuffer::release);
        }
        assertSaid("11.7 MiB are leased, and `max=16m` holds them");
        assertEquals(11.7, 1000 * 12 / 1024.0, 0.05);
    }

    @Test
    void theClassesAreThose() throws IOException {
        SizeClasses classes = new SizeClasses(256 << 10);
        int[] first = {128, 256, 512, 1024, 1280, 1536, 1792, 2048, 2560};
        assertEquals(
                IntStream.of(first).boxed().toList(),
                IntStream.range(0, first.length).map(classes::sizeOf).boxed().toList());
        assertSaid(
                "128, 256, 512 and 1024 bytes, then four steps to each doubling (1280, 1536, 1792, 2048, 2560, ...)");
        assertEquals(16_896, classes.sizeOf(classes.classOf(16_709)));
        for (int i = first.length - 5; i < classes.count(); i++) {
            int before = classes.sizeOf(i - 1);
            int size = classes.sizeOf(i);
            assertTrue(4 * size <= 5 * (before + 1), () -> before + " to " + size);
        }
    }

    @Test
    void theDefaultsAreThose() throws IOException {
        assertSaid("`max-size` (256 KiB)");
        assertEquals("256k", SettingKey.MAX_SIZE.defaultText());
        assertSaid("`region-size` (4 MiB)");
        assertEquals("4m", SettingKey.REGION_SIZE.defaultText());
        assertSaid("further apart than 10 s");
        assertEquals("10s", SettingKey.TRIM_AFTER.defaultText());
        try (BufferPool pool = BufferPool.builder("sized")
                        .policy("heap-view")
                        .max(1 << 20)
                        .build();
                ChannelBuffers buffers = pool.channel()) {
            assertEquals(8 << 10, buffers.input().capacity());
            assertEquals(64 << 10, pool.stats().reservedBytes());
            assertSaid("8 KiB each to begin with");
            assertTrue(Pattern.compile("at least 64 KiB once")
                    .matcher(Manual.page("docs/sizing.md"))
                    .find());
        }
    }

    /** The rows {@code | part | flag | MiB |} of the container. */
    @Test
    void partsOfTheContainerAddUp() throws IOException {
        String page = Manual.page("docs/sizing.md");
        String table = page.substring(page.indexOf("| part | flag | MiB |"));
        List<String[]> rows = table.lines()
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> line.split("\\|"))
                .toList();
        assertEquals(
                1024,
                rows.stream().mapToInt(row -> Integer.parseInt(row[3].strip())).sum());
        List<String> flags = rows.stream()
                .map(row -> row[2].strip().replace("`", ""))
                .filter(flag -> !flag.isEmpty())
                .toList();
        assertEquals(containerFlags().subList(0, flags.size()), inOrder(flags));
        assertEquals(100, 200 * 512 / 1024);
        assertEquals(92_160_000, 5_000 * 12_288 * 1.5);
        assertSaid("5,000 * 12,288 * 1.5 = 92,160,000 bytes, so `-Dbuffers.max=88m`");
        assertEquals(88, Math.ceil(92_160_000.0 / (1 << 20)));
    }

    private static List<String> inOrder(List<String> flags) throws IOException {
        return containerFlags().stream().filter(flags::contains).toList();
    }

    /** Those of the page's command. */
    private static List<String> containerFlags() throws IOException {
        return Pattern.compile("-[DX][^\\s\\\\]+")
                .matcher(Manual.blocks(Manual.page("docs/sizing.md"), "sh").get(0))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    @Test
    void containerHoldsItsRequests() throws Exception {
        String said = Jvm.run(Container.class, containerFlags().toArray(String[]::new));
        assertSaid("`max=88m (-Dbuffers.max)`");
        assertTrue(said.contains("\nmax=88m (-Dbuffers.max)\n"), said);
        assertSaid("`cap 92,274,688 100.0%`");
        assertTrue(
                Pattern.compile("\ncap +92,274,688 +100\\.0%\n").matcher(said).find(), said);
        assertTrue(said.contains("\nopen leases: 10,000\n"), said);
        assertTrue(said.endsWith("\nrefused=0\n"), said);
    }

    /** A pool with as many requests as the page says, in a JVM with its flags. */
    static final class Container {
        public static void main(String... arguments) {
            BufferPool pool = BufferPool.create("web");
            List<PooledBuffer> held = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                held.add(pool.acquire(8 << 10));
                held.add(pool.acquire(4 << 10));
            }
            System.out.println(pool.settings());
            System.out.print(pool.dump());
            System.out.println("refused=" + pool.stats().acquires(AcquireOutcome.REJECTED));
            held.forEach(PooledBuffer::release);
        }
    }

    /** The rows {@code | what | bytes | `max=2m` | ... |} for 100, 1,000 and 10,000 requests at once. */
    @Test
    void theCalculatorHasReckonedRight() throws IOException {
        SizeClasses classes = new SizeClasses(256 << 10);
        int record = classes.sizeOf(classes.classOf(16_709));
        int[] held = {12 << 10, 32 << 10, (12 << 10) + 2 * record, 128 << 10};
        List<String> rows = Manual.page("docs/sizing.md")
                .lines()
                .filter(line -> line.startsWith("| ") && line.split("`max=").length == 4)
                .toList();
        assertEquals(held.length, rows.size());
        for (int i = 0; i < held.length; i++) {
            String[] cells = rows.get(i).split(" \\| ");
            assertEquals(String.format(Locale.ROOT, "%,d", held[i]), cells[1]);
            for (int n = 0; n < 3; n++) {
                double bytes = 1.5 * held[i] * 100 * Math.pow(10, n);
                String max = "`max=" + (long) Math.ceil(bytes / (1 << 20)) + "m`";
                assertEquals(max, cells[2 + n].replace(" |", ""), rows.get(i));
            }
        }
    }
}
