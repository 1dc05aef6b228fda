// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EraserTest {
    private static final int[] PLACES = {0, Integer.MAX_VALUE - 4097, Integer.MAX_VALUE - 4096, Integer.MAX_VALUE - 1};

    /** The file has no blocks before they are written, and the system may write them behind: 2 GiB of disk. */
    @Test
    @Tag("stress")
    void eraseZeroesLargestView(@TempDir Path folder) throws IOException {
        try (FileChannel file = FileChannel.open(
                folder.resolve("largest"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            ByteBuffer view = file.map(FileChannel.MapMode.READ_WRITE, 0, Integer.MAX_VALUE);
            for (int at : PLACES) {
                view.put(at, (byte) 7);
            }
            Eraser.erase(view);
            for (int at : PLACES) {
                assertEquals(0, view.get(at), () -> "at " + at);
            }
            assertEquals(Integer.MAX_VALUE, view.limit());
        }
    }
}
