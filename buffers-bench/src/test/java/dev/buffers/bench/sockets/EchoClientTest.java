// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.load.LoadPlan;
import dev.buffers.bench.load.LoadResult;
import dev.buffers.bench.load.LoadSession;
import dev.buffers.bench.load.WrongAnswer;
import dev.buffers.bench.net.LoopbackServer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** That the load notices what a server does wrong, and charges it for what it keeps waiting. */
class EchoClientTest {
    private static final int BYTES = 64;

    /** What a server does with what it has read; false ends the connection. */
    private interface Trick {
        boolean answer(Socket socket, byte[] bytes, int n, int round) throws IOException;
    }

    private static Throwable causeOf(Trick trick) {
        IOException problem = assertThrows(IOException.class, () -> closed(trick));
        return problem.getCause();
    }

    private static LoadResult closed(Trick trick) throws Exception {
        return run(trick, LoadPlan.closed(1, Duration.ofMillis(100)), 4);
    }

    private static LoadResult run(Trick trick, LoadPlan plan, int inFlight) throws Exception {
        try (ServerSocket listener = serve(trick);
                LoadSession load = EchoClient.session(plan, "echo", listener.getLocalPort(), inFlight, BYTES)) {
            return load.run(plan.time());
        }
    }

    private static ServerSocket serve(Trick trick) throws IOException {
        ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        LoopbackServer.daemon(() -> run(listener, trick), "tricked").start();
        return listener;
    }

    private static void run(ServerSocket listener, Trick trick) {
        byte[] bytes = new byte[1000];
        try (Socket socket = listener.accept()) {
            InputStream in = socket.getInputStream();
            int round = 0;
            for (int n = in.read(bytes); n > 0 && trick.answer(socket, bytes, n, round++); n = in.read(bytes)) {
                // goes on
            }
        } catch (IOException e) {
            // the client has had enough
        }
    }

    private static boolean echo(Socket socket, byte[] bytes, int n, int round) throws IOException {
        socket.getOutputStream().write(bytes, 0, n);
        return true;
    }

    @Test
    void correctEchoIsCounted() throws Exception {
        LoadResult trips = closed(EchoClientTest::echo);
        assertTrue(trips.responses() > 4);
        assertEquals(trips.responses(), trips.latencies().getTotalCount());
        assertEquals(trips.responses() * BYTES, trips.bytes());
        assertTrue(trips.rate() > 0 && trips.latencyMicros(99) >= trips.latencyMicros(50));
    }

    @Test
    void aSingleWrongBitIsNoticed() {
        Throwable cause = causeOf((socket, bytes, n, round) -> {
            bytes[n - 1] ^= (byte) (round == 3 ? 1 : 0);
            return echo(socket, bytes, n, round);
        });
        assertEquals(WrongAnswer.class, cause.getClass());
    }

    @Test
    void unsentMessageIsNoticed() {
        Throwable cause = causeOf((socket, bytes, n, round) -> {
            echo(socket, bytes, n, round);
            return echo(socket, bytes, n, round);
        });
        assertEquals(WrongAnswer.class, cause.getClass());
    }

    @Test
    void aServerThatHangsUpIsNoticed() {
        Throwable cause = causeOf((socket, bytes, n, round) -> false);
        assertEquals(EOFException.class, cause.getClass());
    }

    /** The server pauses once: every message that was due in the meantime must show it, sent or not. */
    @Test
    void stallIsChargedToEveryMessageDueDuringStall() throws Exception {
        Trick pausing = (socket, bytes, n, round) -> {
            if (round == 50) {
                sleep(300);
            }
            return echo(socket, bytes, n, round);
        };
        LoadResult trips = run(pausing, LoadPlan.open(1, Duration.ofMillis(800), 500), 1);
        long late = trips.latencies().getCountBetweenValues(50_000_000, Long.MAX_VALUE);
        assertTrue(late > 60, "some 125 were due in the first 250 of 300 ms: " + late);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
