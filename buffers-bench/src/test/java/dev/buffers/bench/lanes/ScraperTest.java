package dev.buffers.bench.lanes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.claims.Catalogue;
import dev.buffers.bench.claims.Claim;
import dev.buffers.bench.claims.Finding;
import dev.buffers.bench.claims.Measured;
import dev.buffers.bench.figures.Verdict;
import dev.buffers.bench.lanes.contenders.Contender;
import dev.buffers.bench.lanes.contenders.Contenders;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The lanes with a scrape: that there is one, and what counts as slower. */
class ScraperTest {
    private final Catalogue catalogue = new Catalogue(List.of(new Rivals()));
    private final Claim claim = new F5Scraped();

    @Test
    void scrapesUntilItIsClosed() throws Exception {
        try (Contender pool = Contenders.buffers.make(Sizes.MAX);
                Scraper scraper = Scraper.start(pool, 1000)) {
            while (scraper.scrapes() < 5) {
                pool.cycle(100);
                Thread.sleep(1);
            }
        }
    }

    @Test
    void whoHasNoMetersCannotBeScraped() {
        try (Contender floor = Contenders.floor.make(Sizes.MAX)) {
            assertThrows(IllegalStateException.class, () -> Scraper.start(floor, 1));
        }
    }

    @Test
    void notSlowerIsNotBelowFivePercent() {
        assertEquals(Verdict.HOLDS, verdict(1.00));
        assertEquals(Verdict.HOLDS, verdict(1.04));
        assertEquals(Verdict.HOLDS, verdict(0.80));
        assertTrue(verdict(1.06) != Verdict.HOLDS, "6 % slower is slower");
        assertEquals(Verdict.REVERSED, verdict(1.30));
    }

    /** When every fork with a scrape takes so many times as long as every fork without. */
    private Verdict verdict(double times) {
        Measured measured = new Measured();
        for (Claim.Trial trial : claim.trials()) {
            for (int fork = 0; fork < 5; fork++) {
                measured.add(trial.claimant(), Map.of(trial.figure(), 20 * times));
                measured.add(trial.other(), Map.of(trial.figure(), 20.0));
            }
        }
        return Finding.of(claim, measured, catalogue.experiments()).verdict();
    }
}
