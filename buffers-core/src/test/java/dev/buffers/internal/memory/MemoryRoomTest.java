// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.internal.text.ByteSize;
import dev.buffers.support.Jvm;
import dev.buffers.support.Manual;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a heap and a pool fit together into a container. */
class MemoryRoomTest {

    @Test
    void complaintSuggestsSettingsForContainerAsLargeAsHeap() {
        assertEquals(
                Optional.of(
                        "the heap and this pool's direct memory may together take more than the container or machine has:"
                                + " pool=web, memory=512m, heap=512m, max=256m; leave room: for example -Xmx256m"
                                + " -XX:MaxDirectMemorySize=128m, or -Dbuffers.max=64m and a smaller heap (docs/sizing.md)"),
                MemoryRoom.complaint("web", 256 << 20, 512 << 20, 512 << 20));
    }

    @ParameterizedTest
    @CsvSource({
        "64, 448, 512, false",
        "65, 448, 512, true",
        "1, 600, 512, true",
        "1000, 1000, -1, false",
        "1, 511, 512, false"
    })
    void complaintAppearsWhenHeapAndPoolExceedMemory(int max, int heap, int memory, boolean told) {
        assertEquals(
                told,
                MemoryRoom.complaint("web", (long) max << 20, (long) heap << 20, (long) memory << 20)
                        .isPresent());
    }

    /** The container that the page works out. */
    @Test
    void containerOfThePageNeedsNoWarningUntilItsHeapIsLarger() throws IOException {
        assertEquals(Optional.empty(), MemoryRoom.complaint("web", 88 << 20, 512 << 20, 1 << 30));
        String complaint =
                MemoryRoom.complaint("web", 88 << 20, 960 << 20, 1 << 30).orElseThrow();
        String quoted = "the heap and this pool's direct memory may together take more";
        assertTrue(complaint.startsWith(quoted), complaint);
        assertTrue(Manual.page("docs/sizing.md")
                .contains("no line `" + quoted
                        + "`. With `-Xmx960m` it would be there: 64 MiB would be left for a cap of 88"));
    }

    /** The rows {@code | container | -Xmx | -XX:MaxDirectMemorySize | max | the rest |} of the page on sizing. */
    @Test
    void sizesOfThePageFitAndMatchTheWarning() throws IOException {
        List<long[]> rows = Manual.page("docs/sizing.md")
                .lines()
                .filter(line -> line.matches("\\| [0-9]+ MiB \\|.*"))
                .map(line -> Pattern.compile("[0-9]+").matcher(line).results())
                .map(numbers -> numbers.mapToLong(number -> Long.parseLong(number.group()) << 20)
                        .toArray())
                .toList();
        assertEquals(5, rows.size());
        for (long[] row : rows) {
            long memory = row[0];
            assertArrayEquals(new long[] {memory, memory / 2, memory / 4, memory / 8, memory / 4}, row);
            assertEquals(Optional.empty(), MemoryRoom.complaint("web", row[3], row[1], memory));
            String complaint =
                    MemoryRoom.complaint("web", memory / 2, memory, memory).orElseThrow();
            assertTrue(
                    complaint.contains(
                            "-Xmx" + ByteSize.text(row[1]) + " -XX:MaxDirectMemorySize=" + ByteSize.text(row[2]) + ","),
                    complaint);
        }
    }

    /** Two pools of direct memory, between them one on the heap. */
    static final class Pools {
        public static void main(String[] args) {
            BufferPool.builder("heap").policy("heap").build().close();
            BufferPool.builder("one").max(1 << 20).build().close();
            BufferPool.builder("two").max(1 << 20).build().close();
            System.out.println("made");
        }
    }

    @Test
    void warningIsLoggedOnceForFirstPoolOfDirectMemory() throws Exception {
        long memory = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getTotalMemorySize();
        String said = Jvm.run(Pools.class, "-Xmx" + memory, "-Xms16m", "-XX:+UseSerialGC", "-XX:MaxNewSize=16m");
        assertEquals(1, said.split("may together take more", -1).length - 1, said);
        assertTrue(said.contains("pool=one, memory="), said);
        String room = Jvm.run(Pools.class, "-Xmx64m");
        assertEquals("made\n", room);
    }
}
