// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.bench.pools.contenders.Contender;
import dev.buffers.bench.pools.contenders.Contenders;
import org.junit.jupiter.api.Test;

/** Checks that the scraper of the workloads scrapes. */
class ScraperTest {
    @Test
    void scraperScrapesUntilClosed() throws Exception {
        try (Contender pool = Contenders.buffers.make(Sizes.MAX);
                Scraper scraper = new Scraper(pool, 1000)) {
            while (scraper.scrapes() < 5) {
                pool.cycle(100);
                Thread.sleep(1);
            }
        }
    }

    @Test
    void contenderWithoutMetersCannotBeScraped() {
        try (Contender floor = Contenders.floor.make(Sizes.MAX)) {
            assertThrows(IllegalStateException.class, () -> new Scraper(floor, 1));
        }
    }
}
