package dev.buffers.bench.claims.sockets;

import dev.buffers.bench.jvm.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** An {@link Echo} in a JVM of its own, which ends when it is closed, when its time is over or when this process ends. */
final class EchoProcess implements Counted, AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final ChildJvm jvm;
    private final int port;

    private EchoProcess(ChildJvm jvm) throws IOException, InterruptedException {
        this.jvm = jvm;
        jvm.endAfter(LIMIT);
        this.port = Integer.parseInt(jvm.line());
    }

    static EchoProcess start(Lane lane, Memory memory) throws IOException, InterruptedException {
        List<String> arguments = List.of(lane.toString(), memory.toString());
        ChildJvm jvm = ChildJvm.start("echo " + lane, List.of(), Echo.class, arguments);
        try {
            return new EchoProcess(jvm);
        } catch (IOException | InterruptedException | RuntimeException e) {
            jvm.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    long pid() {
        return jvm.pid();
    }

    @Override
    public Echo.Numbers numbers() throws IOException, InterruptedException {
        return Echo.Numbers.of(jvm.ask());
    }

    @Override
    public void close() {
        jvm.close();
    }
}
