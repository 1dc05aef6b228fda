package dev.buffers.bench.sockets;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.BufferPool;
import dev.buffers.bench.duet.LoadContestant.Numbers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/** An echo server with its pool: the program of a JVM of its own, or part of a test's. */
final class Echo implements AutoCloseable {
    private final BufferPool pool =
            BufferPool.builder("echo").policy("direct-view").build();
    private final EchoServer server;

    Echo(Lane lane, Memory memory) throws IOException {
        server = lane.start(() -> memory.buffers(pool));
    }

    /**
     * Runs until the input ends: one line says the port, and each line of the input is answered with what the server has used and
     * holds.
     *
     * @param args the lane and the memory
     */
    public static void main(String[] args) throws IOException {
        try (Echo echo = new Echo(Lane.named(args[0]), Memory.named(args[1]))) {
            ObjectMapper json = new ObjectMapper();
            System.out.println(echo.port());
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (in.readLine() != null) {
                System.out.println(json.writeValueAsString(echo.numbers()));
            }
        }
    }

    int port() throws IOException {
        return server.port();
    }

    Numbers numbers() {
        return new Numbers(
                ManagementFactory.getCompilationMXBean().getTotalCompilationTime(),
                0,
                server.connections(),
                pool.stats().leases(),
                0);
    }

    @Override
    public void close() {
        try (pool) {
            server.close();
        }
    }
}
