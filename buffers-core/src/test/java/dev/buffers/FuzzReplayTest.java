// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.buffers.internal.settings.SettingKey;
import dev.buffers.support.FuzzedPool;
import dev.buffers.support.FuzzedSettings;
import dev.buffers.support.Logged;
import dev.buffers.support.WaitHeldTick;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What Jazzer runs in the profile {@code fuzz}, without it: each input that was worth keeping, and some settings that a seed makes;
 * {@link ModelTest} makes operations. What Jazzer finds it puts where {@link #corpus} looks.
 */
class FuzzReplayTest {
    private static final int RANDOM_TEXTS = 250;

    /** What a text is put together from. */
    private static final List<String> WORDS = Stream.of(
                    SettingKey.ALL.stream().flatMap(key -> Stream.of(key.name(), key.defaultText())),
                    Stream.of("\n", " ", "\\", "\\u0031", "\u0661", "\u0000"),
                    Stream.of(
                            ("buffers. fuzzed. other. = 0 1 64 9223372036854775807 k m g % ms s wait: PT sample: off -"
                                            + " heap unpooled prompt acquire all on true")
                                    .split(" ")))
            .flatMap(words -> words)
            .toList();

    private static Logged said;
    private static WaitHeldTick heldTick;

    private interface Target {
        void run(byte[] input) throws Exception;
    }

    @BeforeAll
    static void timePassesByHandOnly() throws Exception {
        said = new Logged("model");
        heldTick = new WaitHeldTick();
    }

    @AfterAll
    static void timePasses() {
        heldTick.close();
        said.close();
    }

    @Test
    void operationsOfTheCorpus() throws Exception {
        replay("PoolFuzzInputs/operations", FuzzedPool::run);
    }

    @Test
    void settingsOfTheCorpus() throws Exception {
        replay("SettingsFuzzInputs/texts", FuzzedSettings::run);
    }

    @Tag("full")
    @Test
    void settingsAtRandom() {
        Random random = new Random(1);
        for (int i = 0; i < RANDOM_TEXTS; i++) {
            StringBuilder text = new StringBuilder();
            for (int words = random.nextInt(20); words > 0; words--) {
                text.append(WORDS.get(random.nextInt(WORDS.size())));
            }
            run("text " + i, text.toString().getBytes(UTF_8), FuzzedSettings::run);
        }
    }

    private static void replay(String folder, Target target) throws IOException, URISyntaxException {
        for (Path file : corpus(folder)) {
            run(file.getFileName().toString(), Files.readAllBytes(file), target);
        }
    }

    private static List<Path> corpus(String folder) throws IOException, URISyntaxException {
        Path inputs = Path.of(Objects.requireNonNull(FuzzReplayTest.class.getResource(folder), folder)
                .toURI());
        try (Stream<Path> files = Files.list(inputs)) {
            return files.sorted().toList();
        }
    }

    private static void run(String name, byte[] input, Target target) {
        try {
            target.run(input);
        } catch (Exception | AssertionError e) {
            throw new AssertionError(name + ": " + HexFormat.of().formatHex(input), e);
        }
    }
}
