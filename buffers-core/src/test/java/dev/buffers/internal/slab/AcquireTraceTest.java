// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.slab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AcquireTraceTest {
    private static final Pattern PUBLISHED =
            Pattern.compile("(?:buffers-(?!bench).*?)/src/(?:shared/)?main/java/(dev/buffers/.*)/[^/]+\\.java");

    /** The published packages that acquire nothing for their callers. Nor does {@code dev.buffers}, the API. */
    private static final Set<String> ACQUIRE_NOTHING =
            Set.of("dev.buffers.adapters", "dev.buffers.junit", "dev.buffers.micrometer", "dev.buffers.springboot");

    @Test
    void stackBeginsBelowEveryPackageThatAcquires() throws IOException {
        Set<String> skipped = new TreeSet<>();
        Set<String> shown = new TreeSet<>();
        for (Path file : Manual.files(".java")) {
            Matcher published = PUBLISHED.matcher(Manual.name(file));
            if (published.matches()) {
                String folder = published.group(1).replace('/', '.');
                (AcquireTrace.isOurs(folder + ".Any") ? skipped : shown).add(folder);
            }
        }
        assertEquals(ACQUIRE_NOTHING, shown);
        assertTrue(skipped.containsAll(List.of("dev.buffers.internal.pool", "dev.buffers.io", "dev.buffers.tomcat")));
    }

    @Test
    void stackBeginsWithTheCallerOfTheLibrary() {
        Throwable at = new Throwable();
        StackTraceElement user = frame("com.example.Session");
        StackTraceElement below = frame("dev.buffers.io.PooledInputStream");
        at.setStackTrace(new StackTraceElement[] {
            frame("dev.buffers.internal.pool.SlabPool"), frame("dev.buffers.io.StreamLease"), user, below
        });
        assertEquals(List.of(user, below), AcquireTrace.stack(at));
        assertFalse(AcquireTrace.isOurs("dev.buffers.LeakPlaceTest"));
        assertFalse(AcquireTrace.isOurs("dev.buffers.iot.Sensor"));
    }

    private static StackTraceElement frame(String type) {
        return new StackTraceElement(type, "call", "Any.java", 1);
    }
}
