// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.lincheck;

import dev.buffers.internal.memory.RegionAllocator;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.signals.FlightEvents;
import dev.buffers.internal.slab.SlabStore;
import dev.buffers.internal.upkeep.MaintenanceThread;
import org.jetbrains.lincheck.datastructures.CTestConfiguration;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.verifier.LinearizabilityVerifier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A shipped class against a sequential specification, by Lincheck: random scenarios of a few threads, each scenario by bounded
 * model checking (every switch of threads is Lincheck's, memory is sequentially consistent) and by stress on real threads. A
 * specification that is {@link Relaxed} is held against the results by {@link RelaxedVerifier}, any other by Lincheck itself.
 *
 * <p>Run by {@code -Plincheck}; {@code -Dlincheck.percent} scales how often each scenario is run.
 */
@Tag("lincheck")
public abstract class LincheckContract {
    /** More than there are size classes: a loop over these is none that waits for another thread. */
    private static final int LOOPS = 20;

    private static final int PERCENT = Integer.getInteger("lincheck.percent", 100);

    /** A public class with the operations of the test, or a {@link Relaxed}; made anew for each check. */
    abstract Class<?> specification();

    /**
     * The code that model checking does not look into, so that no switch happens there: classes whose every method is under one lock, with
     * the code they call; and unrelated code. (Elsewhere time stands still, and every object's own hash code is 0.)
     */
    private static ManagedStrategyGuarantee modules() {
        return ManagedStrategyGuaranteeKt.forClasses(
                        SlabStore.class.getName(),
                        RegionAllocator.class.getName(),
                        ResolvedSettings.class.getName(),
                        FlightEvents.class.getName(),
                        MaintenanceThread.class.getName())
                .allMethods()
                .ignore();
    }

    @Test
    void modelChecking() {
        against(new ModelCheckingOptions()
                        .addGuarantee(modules())
                        .loopIterationsBeforeThreadSwitch(LOOPS)
                        .loopBound(10 * LOOPS))
                .iterations(25)
                .invocationsPerIteration(400 * PERCENT / 100)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(getClass());
    }

    @Test
    void stress() {
        against(new StressOptions())
                .iterations(30)
                .invocationsPerIteration(3_000 * PERCENT / 100)
                .threads(2)
                .actorsPerThread(4)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(getClass());
    }

    private <O extends Options<O, C>, C extends CTestConfiguration> O against(O options) {
        boolean relaxed = Relaxed.class.isAssignableFrom(specification());
        return options.sequentialSpecification(specification())
                .verifier(relaxed ? RelaxedVerifier.class : LinearizabilityVerifier.class);
    }
}
