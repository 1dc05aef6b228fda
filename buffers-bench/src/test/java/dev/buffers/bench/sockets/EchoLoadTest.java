package dev.buffers.bench.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** That the load notices what a server does wrong, and charges it for what it keeps waiting. */
class EchoLoadTest {
    private static final int BYTES = 64;

    /** What a server does with what it has read; false ends the connection. */
    private interface Trick {
        boolean answer(Socket socket, byte[] bytes, int n, int round) throws IOException;
    }

    private static Throwable causeOf(Trick trick) {
        IOException problem = assertThrows(IOException.class, () -> closed(trick));
        return problem.getCause();
    }

    private static Trips closed(Trick trick) throws Exception {
        try (ServerSocket listener = serve(trick);
                EchoLoad load = EchoLoad.connect(listener.getLocalPort(), 1, 4, BYTES, 1)) {
            return load.closed(Duration.ofMillis(100));
        }
    }

    private static ServerSocket serve(Trick trick) throws IOException {
        ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Lane.DAEMONS.newThread(() -> run(listener, trick)).start();
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
    void whatComesBackRightIsCounted() throws Exception {
        Trips trips = closed(EchoLoadTest::echo);
        assertTrue(trips.count() > 4);
        assertEquals(trips.count(), trips.latencies().getTotalCount());
        assertTrue(trips.rate() > 0 && trips.micros(99) >= trips.micros(50));
    }

    @Test
    void aSingleWrongBitIsNoticed() {
        Throwable cause = causeOf((socket, bytes, n, round) -> {
            bytes[n - 1] ^= (byte) (round == 3 ? 1 : 0);
            return echo(socket, bytes, n, round);
        });
        assertEquals(WrongEcho.class, cause.getClass());
    }

    @Test
    void whatNobodySentIsNoticed() {
        Throwable cause = causeOf((socket, bytes, n, round) -> {
            echo(socket, bytes, n, round);
            return echo(socket, bytes, n, round);
        });
        assertEquals(WrongEcho.class, cause.getClass());
    }

    @Test
    void aServerThatHangsUpIsNoticed() {
        Throwable cause = causeOf((socket, bytes, n, round) -> false);
        assertEquals(EOFException.class, cause.getClass());
    }

    /** The server pauses once: every message that was due meanwhile must show it, sent or not. */
    @Test
    void aStallIsChargedToEveryMessageThatWasDueInIt() throws Exception {
        Trick pausing = (socket, bytes, n, round) -> {
            if (round == 50) {
                sleep(300);
            }
            return echo(socket, bytes, n, round);
        };
        try (ServerSocket listener = serve(pausing);
                EchoLoad load = EchoLoad.connect(listener.getLocalPort(), 1, 1, BYTES, 1)) {
            Trips trips = load.open(Duration.ofMillis(800), 500);
            long late = trips.latencies().getCountBetweenValues(50_000_000, Long.MAX_VALUE);
            assertTrue(late > 60, "some 125 were due in the first 250 of 300 ms: " + late);
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
