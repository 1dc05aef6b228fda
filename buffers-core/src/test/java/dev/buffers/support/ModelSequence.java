// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.internal.settings.Ceiling;
import dev.buffers.internal.settings.SettingKey;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * A sequence of operations on a pool of these settings, as one line: {@code policy=heap | acquire 0 100; release 0; release 0}. Such
 * lines make up the corpus, {@code model-corpus.txt}.
 */
public record ModelSequence(Combination combination, List<ModelOp> ops) {
    private static final long DEFAULT_MAX = 16 << 20;

    public static ModelSequence random(Combination combination, long seed, int count, boolean twoThreads) {
        Ceiling max = combination.value(SettingKey.MAX);
        List<ModelOp> ops =
                ModelOp.random(new Random(seed), count, max.percent() ? DEFAULT_MAX : max.bytes(), twoThreads);
        return new ModelSequence(combination, ops);
    }

    public static ModelSequence parse(String line) {
        String[] sides = line.split("\\|", 2);
        return new ModelSequence(Combination.parse(sides[0]), ModelOp.parse(sides[1]));
    }

    @Override
    public String toString() {
        return combination + " | " + ModelOp.text(ops);
    }

    /** The failure when it runs, or null. */
    public Throwable failure(LongFunction<ReferenceModel> models, ThreadFactory threads) {
        try {
            ModelRun.run(this, models, threads);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    /** Fails if the sequence does, with a line for the corpus that is as short as can be found. {@code origin} says where it comes from. */
    public void check(String origin, LongFunction<ReferenceModel> models, ThreadFactory threads) {
        Throwable failure = failure(models, threads);
        if (failure != null) {
            Replays replays = new Replays(models, threads, failure);
            ModelSequence shortest = replays.shrink(this);
            throw new AssertionError(replays.last.getMessage() + "\n" + origin + "\n" + shortest, replays.last);
        }
    }

    /** Some shorter sequence with simpler settings that fails too. */
    public ModelSequence shrunk(LongFunction<ReferenceModel> models, ThreadFactory threads) {
        return new Replays(models, threads, null).shrink(this);
    }

    /** Parts of a failing sequence, tried again for so many seconds, and how the last that failed did. */
    private static final class Replays {
        private static final long LONG_ENOUGH = TimeUnit.SECONDS.toNanos(Long.getLong("model.shrinking", 30));

        private final LongFunction<ReferenceModel> models;
        private final ThreadFactory threads;
        private final long start = System.nanoTime();
        private Throwable last;

        Replays(LongFunction<ReferenceModel> models, ThreadFactory threads, Throwable first) {
            this.models = models;
            this.threads = threads;
            this.last = first;
        }

        private boolean fails(Combination combination, List<ModelOp> ops) {
            if (System.nanoTime() - start > LONG_ENOUGH) {
                return false;
            }
            Throwable failure = new ModelSequence(combination, ops).failure(models, threads);
            last = failure == null ? last : failure;
            return failure != null;
        }

        ModelSequence shrink(ModelSequence failing) {
            Combination plain = failing.combination;
            List<ModelOp> few = Shrinker.shrink(failing.ops, some -> fails(failing.combination, some));
            for (SettingKey<?> key : failing.combination.changes().keySet()) {
                Combination plainer = plain.with(key, key.defaultText());
                plain = plainer.isValid() && fails(plainer, few) ? plainer : plain;
            }
            Combination plainest = plain;
            few = Shrinker.shrink(few, some -> fails(plainest, some));
            few = Shrinker.simplify(few, ModelOp::simpler, some -> fails(plainest, some));
            List<ModelOp> renumbered = ModelOp.renumbered(few);
            return new ModelSequence(plainest, fails(plainest, renumbered) ? renumbered : few);
        }
    }
}
