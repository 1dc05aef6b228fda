// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.frameworks.WaitingProgram.Held;
import dev.buffers.bench.harness.LoadContestant.Numbers;
import dev.buffers.bench.jvm.AttachedJvm;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.jvm.Footprint;
import java.io.IOException;
import java.time.Duration;

/** The server under the load of a {@link Soak}. */
interface Soaked extends AutoCloseable {
    int port();

    /** Ends all waits that end when the server sends something. */
    void publish() throws IOException, InterruptedException;

    /** The memory that it holds. */
    Held now() throws IOException, InterruptedException;

    /** The same after two collections. */
    Held collected() throws IOException, InterruptedException;

    /** Bytes of our pools that are leased. */
    long leasedBytes() throws IOException, InterruptedException;

    /** Leases of our pools that were lost. */
    long lost() throws IOException, InterruptedException;

    @Override
    void close() throws IOException;

    /** A {@link WaitingProgram}, which ends with this. */
    final class Child implements Soaked {
        private static final ObjectMapper JSON = new ObjectMapper();
        private static final Duration PATIENCE = Duration.ofMinutes(1);

        private final ChildJvm jvm;
        private final int port;

        Child(ChildJvm jvm) throws IOException, InterruptedException {
            this.jvm = jvm;
            this.port = Integer.parseInt(jvm.firstLine(""));
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public void publish() throws IOException, InterruptedException {
            jvm.tell(WaitingProgram.PUBLISH);
            jvm.line(PATIENCE);
        }

        @Override
        public Held now() throws IOException, InterruptedException {
            return held(WaitingProgram.NOW);
        }

        @Override
        public Held collected() throws IOException, InterruptedException {
            return held(WaitingProgram.COLLECTED);
        }

        private Held held(String when) throws IOException, InterruptedException {
            jvm.tell(when);
            return JSON.readValue(jvm.line(PATIENCE), Held.class);
        }

        private Numbers numbers() throws IOException, InterruptedException {
            return JSON.readValue(jvm.ask(), Numbers.class);
        }

        @Override
        public long leasedBytes() throws IOException, InterruptedException {
            return numbers().leasedBytes();
        }

        @Override
        public long lost() throws IOException, InterruptedException {
            return numbers().failures();
        }

        @Override
        public void close() {
            jvm.close();
        }
    }

    /** A server that its user has started, and whose waits end by themselves. */
    record Running(AttachedJvm jvm, int port) implements Soaked {
        @Override
        public void publish() {}

        @Override
        public Held now() throws IOException {
            return held(jvm.now());
        }

        @Override
        public Held collected() throws IOException, InterruptedException {
            jvm.collected();
            return held(jvm.collected());
        }

        private Held held(Footprint memory) throws IOException {
            return new Held(memory, leasedBytes());
        }

        @Override
        public long leasedBytes() throws IOException {
            return jvm.sum("LeasedBytes");
        }

        @Override
        public long lost() throws IOException {
            return jvm.sum("Leaks");
        }

        @Override
        public void close() throws IOException {
            jvm.close();
        }
    }
}
