package dev.buffers.bench.claims.sockets;

import com.sun.management.OperatingSystemMXBean;
import dev.buffers.BufferPool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/** An echo server with its pool: the program of a JVM of its own, or part of a test's. */
final class Echo implements Counted, AutoCloseable {
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
        Lane lane = Lane.named(args[0]);
        Memory memory = Memory.named(args[1]);
        try (Echo echo = new Echo(lane, memory)) {
            System.out.println(echo.port());
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (in.readLine() != null) {
                System.out.println(echo.numbers().line());
            }
        }
    }

    int port() throws IOException {
        return server.port();
    }

    @Override
    public Numbers numbers() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Numbers(
                system.getProcessCpuTime(), server.connections(), pool.stats().leases());
    }

    @Override
    public void close() {
        try (pool) {
            server.close();
        }
    }

    /**
     * What a server has used and holds.
     *
     * @param cpuNanos processor time of the whole process
     * @param connections open
     * @param leases out
     */
    record Numbers(long cpuNanos, int connections, long leases) {
        String line() {
            return cpuNanos + " " + connections + " " + leases;
        }

        static Numbers of(String line) {
            String[] words = line.split(" ", -1);
            return new Numbers(Long.parseLong(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]));
        }

        boolean atRest() {
            return connections == 0 && leases == 0;
        }
    }
}
