// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import dev.buffers.PoolSettings;
import dev.buffers.internal.settings.Ceiling;
import dev.buffers.internal.settings.SettingKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A sequence of operations on a pool of these settings, as one line: {@code policy=heap | acquire 0 100; release 0; release 0}. Such
 * lines make up the corpus, {@code model-corpus.txt}.
 */
public record ModelSequence(Combination combination, List<ModelOp> ops) {
    private static final long DEFAULT_MAX = 16 << 20;

    public static ModelSequence random(Combination combination, long seed, int count, boolean twoThreads) {
        return random(combination, new Random(seed), count, twoThreads);
    }

    static ModelSequence random(Combination combination, Random random, int count, boolean twoThreads) {
        Ceiling max = combination.value(SettingKey.MAX);
        return new ModelSequence(
                combination, ModelOp.random(random, count, max.percent() ? DEFAULT_MAX : max.bytes(), twoThreads));
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
    public Throwable failure(Function<PoolSettings, ReferenceModel> models, ThreadFactory threads) {
        try {
            ModelRun.run(this, models, threads);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    /** Fails if the sequence does, with a line for the corpus that is as short as can be found. {@code origin} says where it comes from. */
    public void check(String origin, Function<PoolSettings, ReferenceModel> models, ThreadFactory threads) {
        Throwable failure = failure(models, threads);
        if (failure != null) {
            Replays replays = new Replays(models, threads, failure);
            ModelSequence shortest = replays.shrink(this);
            throw new AssertionError(replays.last.getMessage() + "\n" + origin + "\n" + shortest, replays.last);
        }
    }

    /** Some shorter sequence with simpler settings that fails too. */
    public ModelSequence shrunk(Function<PoolSettings, ReferenceModel> models, ThreadFactory threads) {
        return new Replays(models, threads, null).shrink(this);
    }

    /** Parts of a failing sequence, tried again for so many seconds, and how the last that failed did. */
    private static final class Replays {
        private static final long LONG_ENOUGH = TimeUnit.SECONDS.toNanos(Long.getLong("model.shrinking", 30));

        private final Function<PoolSettings, ReferenceModel> models;
        private final ThreadFactory threads;
        private final long start = System.nanoTime();
        private Throwable last;

        Replays(Function<PoolSettings, ReferenceModel> models, ThreadFactory threads, Throwable first) {
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

    /** Makes a failing sequence shorter by trying parts of it again (Zeller and Hildebrandt, Delta Debugging, IEEE TSE 2002). */
    public static final class Shrinker {

        private Shrinker() {}

        /** A part of {@code failing} that still fails, and does not when any one element is left out; as far as failing can be repeated. */
        public static <T> List<T> shrink(List<T> failing, Predicate<List<T>> fails) {
            List<T> shortest = failing;
            int chunk = Math.max(1, failing.size() / 2);
            while (true) {
                int before = shortest.size();
                for (int at = 0; at < shortest.size(); ) {
                    List<T> rest = new ArrayList<>(shortest.subList(0, at));
                    rest.addAll(shortest.subList(Math.min(shortest.size(), at + chunk), shortest.size()));
                    if (fails.test(rest)) {
                        shortest = rest;
                    } else {
                        at += chunk;
                    }
                }
                if (chunk == 1 && shortest.size() == before) {
                    return shortest;
                }
                chunk = Math.max(1, chunk / 2);
            }
        }

        /** The same with each element in the simplest way that still fails. */
        public static <T> List<T> simplify(List<T> failing, Function<T, List<T>> simpler, Predicate<List<T>> fails) {
            List<T> simplest = new ArrayList<>(failing);
            for (int i = 0; i < simplest.size(); i++) {
                boolean found = true;
                while (found) {
                    found = false;
                    for (T candidate : simpler.apply(simplest.get(i))) {
                        List<T> changed = new ArrayList<>(simplest);
                        changed.set(i, candidate);
                        if (!found && fails.test(changed)) {
                            simplest = changed;
                            found = true;
                        }
                    }
                }
            }
            return simplest;
        }
    }
}
