package dev.buffers.bench.frameworks;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.claims.Point;
import dev.buffers.bench.jvm.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A framework's server in a JVM of its own, which ends when it is closed or when this process ends. */
final class FrameworkProcess implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final long REST_SECONDS = 20;
    private static final long LOOK_MILLIS = 10;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Point point;
    private final Work work;
    private final ChildJvm jvm;
    private final int port;

    private FrameworkProcess(Point point, Work work, ChildJvm jvm) throws IOException, InterruptedException {
        this.point = point;
        this.work = work;
        this.jvm = jvm;
        this.port = Integer.parseInt(jvm.line());
    }

    /** Starts the server of a point, and waits until it listens. */
    static FrameworkProcess start(Point point, Work work, Path root, List<String> jvmArguments)
            throws IOException, InterruptedException {
        List<String> arguments = List.of(
                point.get(FrameworkServer.FRAMEWORK),
                point.get(FrameworkServer.POOL),
                work.toString(),
                root.toString());
        ChildJvm jvm = ChildJvm.start(point.toString(), jvmArguments, FrameworkProgram.class, arguments);
        try {
            jvm.endAfter(LIMIT);
            return new FrameworkProcess(point, work, jvm);
        } catch (IOException | InterruptedException | RuntimeException e) {
            jvm.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    FrameworkNumbers numbers() throws IOException, InterruptedException {
        return JSON.readValue(jvm.ask(), FrameworkNumbers.class);
    }

    /** After a collection. */
    FrameworkNumbers collected() throws IOException, InterruptedException {
        return JSON.readValue(jvm.ask(FrameworkProgram.COLLECTED), FrameworkNumbers.class);
    }

    /** That of our buffers none is out once its connections are closed, unless it keeps files in some, and that none was lost. */
    void checkRest() throws IOException, InterruptedException {
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(REST_SECONDS);
        FrameworkNumbers numbers = numbers();
        while (work != Work.FILES && numbers.leases() > 0 && System.nanoTime() - patience < 0) {
            Thread.sleep(LOOK_MILLIS);
            numbers = numbers();
        }
        numbers = collected();
        FrameworkServer.check(point, work == Work.FILES ? 0 : numbers.leases(), numbers.leaks());
    }

    @Override
    public void close() {
        jvm.close();
    }
}
