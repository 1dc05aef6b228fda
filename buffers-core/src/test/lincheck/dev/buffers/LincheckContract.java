package dev.buffers;

import org.jetbrains.lincheck.datastructures.CTestConfiguration;
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
 * <p>Run by {@code -Plincheck}; {@code -Dlincheck.effort=n} tries n times as many scenarios.
 */
@Tag("lincheck")
public abstract class LincheckContract {
    private static final int EFFORT = Integer.getInteger("lincheck.effort", 1);

    /** A public class with the operations of the test, or a {@link Relaxed}; made anew for each check. */
    abstract Class<?> specification();

    /** What model checking need not look into. */
    ModelCheckingOptions modular(ModelCheckingOptions options) {
        return options;
    }

    @Test
    void modelChecking() {
        modular(against(new ModelCheckingOptions()))
                .iterations(25 * EFFORT)
                .invocationsPerIteration(400)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(getClass());
    }

    @Test
    void stress() {
        against(new StressOptions())
                .iterations(30 * EFFORT)
                .invocationsPerIteration(3_000)
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
