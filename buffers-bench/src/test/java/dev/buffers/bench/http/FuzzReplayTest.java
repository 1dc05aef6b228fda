// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Jazzer runs in the profile {@code fuzz}, without it: each input that was worth keeping, and each with a few bytes changed as a
 * seed says. What Jazzer finds it puts where {@link #corpus} looks.
 */
class FuzzReplayTest {
    private static final int CHANGED = 3_000;

    @TempDir
    private static Path folder;

    private static FuzzedRequests requests;

    @BeforeAll
    static void open() throws IOException {
        requests = new FuzzedRequests(folder);
    }

    @AfterAll
    static void close() {
        requests.close();
    }

    @Test
    void requestsOfTheCorpus() throws Exception {
        for (byte[] input : corpus()) {
            run(input);
        }
    }

    @Test
    void requestsChangedAtRandom() throws Exception {
        List<byte[]> corpus = corpus();
        Random random = new Random(1);
        for (int i = 0; i < CHANGED; i++) {
            byte[] one = corpus.get(random.nextInt(corpus.size()));
            byte[] other = corpus.get(random.nextInt(corpus.size()));
            int cut = random.nextInt(one.length + 1);
            byte[] input = Arrays.copyOf(one, cut + other.length);
            System.arraycopy(other, 0, input, cut, other.length);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                input[random.nextInt(input.length)] = (byte) random.nextInt();
            }
            run(input);
        }
    }

    private static List<byte[]> corpus() throws IOException, URISyntaxException {
        Path inputs = Path.of(Objects.requireNonNull(FuzzReplayTest.class.getResource("RequestsFuzzInputs/requests"))
                .toURI());
        List<byte[]> corpus = new ArrayList<>();
        try (Stream<Path> files = Files.list(inputs)) {
            for (Path file : files.sorted().toList()) {
                corpus.add(Files.readAllBytes(file));
            }
        }
        return corpus;
    }

    private static void run(byte[] input) {
        try {
            requests.run(input);
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError(HexFormat.of().formatHex(input), e);
        }
    }
}
