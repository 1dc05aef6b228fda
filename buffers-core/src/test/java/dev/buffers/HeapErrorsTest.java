package dev.buffers;

import dev.buffers.support.HeapErrors;
import dev.buffers.support.Jvm;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * I10: a heap that is full takes nothing for good. A smoke in every build; with the profile {@code burn} hundreds of errors of each kind,
 * interpreted and compiled by each compiler.
 */
class HeapErrorsTest {
    private static final String[] FULL = {"-Xmx8m", "-XX:+UseSerialGC"};

    @Test
    void aFullHeapTakesNothingForGood() throws Exception {
        Jvm.run(300, HeapErrors.class, FULL, "4", "42", "direct-view", "LEASES,FIGURES,CLOSES");
    }

    @Tag("burn")
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-XX:TieredStopAtLevel=4"})
    void inEachModeOfCompilation(String mode) throws Exception {
        String seed = String.valueOf(new SplittableRandom().nextInt(1_000_000));
        System.out.println("full heap: " + mode + " seed=" + seed);
        System.out.println(Jvm.run(
                7200,
                HeapErrors.class,
                new String[] {FULL[0], FULL[1], mode},
                "200",
                seed,
                "direct-view,heap-view,heap,direct,unpooled"));
    }
}
