// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Makes a failing sequence shorter by trying parts of it again (Zeller and Hildebrandt, Delta Debugging, IEEE TSE 2002). */
public final class Shrinker {

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
