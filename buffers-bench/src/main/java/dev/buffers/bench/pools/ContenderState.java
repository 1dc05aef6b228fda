// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.pools;

import dev.buffers.bench.pools.contenders.Contender;
import dev.buffers.bench.pools.contenders.Contenders;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The contender that all threads of a workload share, warmed and with its slots promoted: in a young heap G1's barriers are free. */
@State(Scope.Benchmark)
public class ContenderState {
    /** Who runs. */
    @Param
    public Contenders contender;

    /** How often a second another thread reads its meters, as a Prometheus server does. */
    @Param("0")
    public int scrapes;

    /** How many threads hold leases now. */
    final AtomicInteger holders = new AtomicInteger();

    Contender source;

    private @Nullable Scraper scraper;

    /** Makes the contender, has it create what it will use, and lets two collections promote that. */
    @Setup(Level.Trial)
    public void open() {
        source = contender.make(Sizes.MAX);
        Sizes sizes = new Sizes(1);
        List<Object> out = new ArrayList<>();
        for (int round = 0; round < 64; round++) {
            for (int i = 0; i < 64; i++) {
                out.add(source.acquire(sizes.next()));
            }
            out.forEach(source::release);
            out.clear();
        }
        if (scrapes > 0) {
            scraper = new Scraper(source, scrapes);
        }
        Timed.promote();
    }

    /** Checks that nothing is out, when the last thread has released: JMH lets the first that has ended call this. */
    @TearDown(Level.Trial)
    public void close() {
        while (holders.get() != 0) {
            Thread.onSpinWait();
        }
        if (scraper != null) {
            scraper.close();
        }
        source.close();
    }
}
