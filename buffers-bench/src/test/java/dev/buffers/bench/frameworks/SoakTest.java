// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.jvm.AttachedJvm;
import dev.buffers.bench.jvm.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("full")
class SoakTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void runningServerIsSoaked(boolean ours) throws Exception {
        try (ChildJvm server =
                WaitingContestant.jvm("server", List.of("-Dbuffers.jmx=true"), "tomcat", Way.HTTP2, ours, true)) {
            int port = Integer.parseInt(server.firstLine(""));
            AttachedJvm jvm = AttachedJvm.attach(server.pid());
            assertEquals(ours, jvm.hasPools());
            assertEquals(WaitingProgram.class.getName(), jvm.program());
            List<Soak.Sample> samples = new ArrayList<>();

            Soak.End end =
                    Soak.of(jvm, port, true, 40).run(Duration.ofSeconds(15), Duration.ofSeconds(5), samples::add);

            assertTrue(end.isClean(), end.toString());
            assertEquals(3, samples.size());
            assertTrue(samples.stream().mapToLong(Soak.Sample::exchanges).sum() > 0, samples::toString);
            for (Soak.Sample sample : samples) {
                assertTrue(sample.connections() > 0, sample.toString());
                assertTrue(sample.heap() > 1 << 20 && sample.resident() > sample.heap(), sample.toString());
            }
        }
    }
}
