// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.lincheck;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.execution.HBClock;
import org.jetbrains.kotlinx.lincheck.execution.ResultWithClock;
import org.jetbrains.lincheck.datastructures.verifier.CachedVerifier;

/**
 * Linearizability against a {@link Relaxed} specification: results are legal when there is an order of all operations in which
 * each result is allowed, and in which whatever ended before another began comes before it (Wing and Gong's search).
 */
public final class RelaxedVerifier extends CachedVerifier {
    private final Class<?> specification;

    /** As Lincheck makes it. */
    public RelaxedVerifier(Class<?> specification) {
        this.specification = specification;
    }

    @Override
    public boolean verifyResultsImpl(ExecutionScenario scenario, ExecutionResult results) {
        try {
            Relaxed initial = (Relaxed) specification.getConstructor().newInstance();
            List<List<Relaxed.Step>> steps = new ArrayList<>();
            List<List<HBClock>> clocks = new ArrayList<>();
            for (List<ResultWithClock> thread : results.getThreadsResultsWithClock()) {
                clocks.add(thread.stream().map(ResultWithClock::getClockOnStart).toList());
            }
            for (int t = 0; t < clocks.size(); t++) {
                List<Relaxed.Step> ofThread = new ArrayList<>();
                for (int i = 0; i < clocks.get(t).size(); i++) {
                    String result = String.valueOf(
                            results.getThreadsResultsWithClock().get(t).get(i).getResult());
                    ofThread.add(new Relaxed.Step(call(scenario, t, i), result, overlapping(scenario, clocks, t, i)));
                }
                steps.add(ofThread);
            }
            return explains(initial, steps, clocks, new int[steps.size()]);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Relaxed.Call call(ExecutionScenario scenario, int thread, int index) {
        Actor actor = scenario.getThreads().get(thread).get(index);
        return new Relaxed.Call(actor.getMethod().getName(), actor.getArguments());
    }

    /** The calls of other threads that neither ended before this one began nor began after it ended. */
    private static List<Relaxed.Call> overlapping(
            ExecutionScenario scenario, List<List<HBClock>> clocks, int thread, int index) {
        List<Relaxed.Call> calls = new ArrayList<>();
        for (int other = 0; other < clocks.size(); other++) {
            for (int i = 0; other != thread && i < clocks.get(other).size(); i++) {
                boolean before = clocks.get(thread).get(index).get(other) > i;
                boolean after = clocks.get(other).get(i).get(thread) > index;
                if (!before && !after) {
                    calls.add(call(scenario, other, i));
                }
            }
        }
        return calls;
    }

    /** Whether the rest of each thread's operations can follow {@code state}; {@code done} says how many have been used up. */
    private static boolean explains(
            Relaxed state, List<List<Relaxed.Step>> steps, List<List<HBClock>> clocks, int[] done) {
        boolean ended = true;
        for (int t = 0; t < done.length; t++) {
            if (done[t] == steps.get(t).size()) {
                continue;
            }
            ended = false;
            Relaxed next = isNext(clocks.get(t).get(done[t]), done)
                    ? state.after(steps.get(t).get(done[t]))
                    : null;
            if (next != null) {
                done[t]++;
                if (explains(next, steps, clocks, done)) {
                    return true;
                }
                done[t]--;
            }
        }
        return ended;
    }

    /** Whether all that had ended when an operation began has been used up. */
    private static boolean isNext(HBClock clock, int[] done) {
        for (int t = 0; t < done.length; t++) {
            if (done[t] < clock.get(t)) {
                return false;
            }
        }
        return true;
    }
}
