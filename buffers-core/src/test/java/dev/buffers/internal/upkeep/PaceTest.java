// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Times in milliseconds since the first collection. */
class PaceTest {
    private static final String METADATA =
            "buffers-adapters/buffers-spring-boot4-starter/src/shared/main/resources/META-INF/"
                    + "spring-configuration-metadata.json";

    private final Pace pace = new Pace();
    private final long first = System.nanoTime() + TimeUnit.HOURS.toNanos(1);

    private boolean begins(long at, boolean follows) {
        return pace.begin(first + nanos(at), follows);
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** One that takes so long, and costs as much. */
    private void collect(long at, long millis) {
        assertTrue(begins(at, false));
        pace.end(nanos(millis), nanos(millis));
    }

    @Test
    void oneIsMadeAtTime() {
        assertTrue(begins(0, false));
        assertTrue(pace.isRunning());
        assertFalse(begins(100_000, false));
        assertFalse(begins(100_000, true));
        pace.end(nanos(1), 0);
        assertFalse(pace.isRunning());
        assertTrue(begins(100_000, false));
    }

    /** A concurrent one may take long, and cost little. */
    @Test
    void pauseBeginsAtEnd() {
        assertTrue(begins(0, false));
        pace.end(nanos(20_000), 0);
        assertFalse(begins(20_000, false));
        assertFalse(begins(21_499, false));
        assertTrue(begins(21_500, false));
    }

    @Test
    void pauseIsFiftyTimesTheCost() {
        collect(0, 100);
        assertFalse(begins(5_099, false));
        collect(5_100, 1);
        assertFalse(begins(6_600, false));
        assertTrue(begins(6_601, false));
    }

    @Test
    void collectionThatFoundLossesIsFollowedAtOnceAndBothArePaid() {
        collect(0, 100);
        assertTrue(begins(101, true));
        pace.end(nanos(100), nanos(100));
        assertFalse(begins(202, true), "no third at once");
        assertFalse(begins(10_099, true));
        assertTrue(begins(10_100, false));
        pace.end(nanos(100), nanos(100));
        assertTrue(begins(10_201, true), "a pair again");
    }

    /** For an hour a pool without a leak lacks memory, and looks for it in each second. */
    @Test
    void allTogetherCostAtMostTwoPercent() {
        for (long cost : new long[] {1, 20, 30, 100, 1_000, 5_000}) {
            Pace its = new Pace();
            long spent = 0;
            long end = TimeUnit.HOURS.toMillis(1);
            for (long at = 0; at < end; at += 1_000) {
                if (its.begin(first + nanos(at), at % 3 == 0)) {
                    its.end(nanos(cost), nanos(cost));
                    spent += cost;
                }
            }
            long most = end / 50 + 2 * cost;
            assertTrue(spent <= most, "cost=" + cost + ", spent=" + spent);
            assertTrue(spent > most / 3 || cost < 20, "cost=" + cost + ", spent=" + spent);
        }
    }

    /** In the Javadoc, on the pages, and for each pool in the starter's metadata: the text of {@code auto} is the same everywhere. */
    @Test
    void usersReadTheShareOfPace() throws IOException {
        String share = "cost at most " + 100 / Pace.SHARE + " % of the time";
        for (String file : List.of(
                "buffers-core/src/main/java/dev/buffers/PoolSettings.java", "docs/settings.md", "docs/memory.md")) {
            assertTrue(Manual.page(file).contains(share), file);
        }
        String metadata = Manual.page(METADATA);
        int texts = metadata.split(Pattern.quote("\"value\": \"auto\""), -1).length - 1;
        assertEquals(4, texts, "all pools, and each of the three");
        assertEquals(texts, metadata.split(Pattern.quote("These collections " + share), -1).length - 1);
    }
}
