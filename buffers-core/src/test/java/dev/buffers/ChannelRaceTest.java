// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Conservation;
import dev.buffers.support.DirectRoom;
import dev.buffers.support.Eventually;
import dev.buffers.support.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers release while a channel is used, goes idle and closes: nothing is lost, and nothing is stranded in a silent channel. */
class ChannelRaceTest {
    private static final int CAP = 1 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"direct-view", "heap"})
    void workersReleaseWhileChannelsComeAndGo(String policy) throws Exception {
        DirectRoom.make();
        try (BufferPool pool =
                BufferPool.builder("channel-race").policy(policy).max(CAP).build()) {
            BlockingQueue<PooledBuffer> work = new ArrayBlockingQueue<>(16);
            AtomicBoolean done = new AtomicBoolean();
            List<ChannelBuffers> silent = new ArrayList<>();
            Threads.Action owner = () -> {
                serve(pool, work, silent);
                done.set(true);
            };
            Threads.Action worker = () -> {
                while (!done.get() || !work.isEmpty()) {
                    PooledBuffer lease = work.poll(1, TimeUnit.MILLISECONDS);
                    if (lease != null) {
                        long stamp = lease.buffer().getLong(0);
                        assertEquals(
                                stamp, lease.buffer().getLong(lease.buffer().limit() - 8));
                        lease.buffer().putLong(0, ~stamp);
                        lease.release();
                    }
                }
            };
            Threads.together(List.of(owner, worker, worker));
            Conservation.check(pool);
            // The silent channels are still open, yet other callers can acquire all of the cap.
            Eventually.holds("the silent channels hold nothing", () -> {
                pool.trim();
                return Conservation.check(pool).reservedBytes() == 0;
            });
            Eventually.collected("the dropped regions go", () -> pool.stats().droppedBytes() == 0);
            PooledBuffer all = pool.acquire(CAP);
            assertTrue(all.release());
            silent.forEach(ChannelBuffers::close);
            Conservation.check(pool);
        }
    }

    private static void serve(BufferPool pool, BlockingQueue<PooledBuffer> work, List<ChannelBuffers> silent)
            throws InterruptedException {
        Random random = new Random(11);
        long stamp = 0;
        for (int c = 0; c < 1_500; c++) {
            ChannelBuffers channel = pool.channel();
            for (int i = 0; i < 8; i++) {
                PooledBuffer lease;
                if (random.nextBoolean()) {
                    channel.input(64).putLong(++stamp).putLong(stamp);
                    lease = channel.handOffInput();
                } else {
                    lease = channel.acquire(16 + random.nextInt(3) * 3000);
                    int size = lease.buffer().limit();
                    lease.buffer().putLong(0, ++stamp).putLong(size - 8, stamp);
                }
                assertTrue(work.offer(lease, 60, TimeUnit.SECONDS));
                if (random.nextInt(3) == 0) {
                    channel.idle();
                }
            }
            if (c % 10 == 0) {
                channel.idle();
                silent.add(channel);
            } else {
                channel.close();
            }
        }
    }
}
