package dev.buffers.bench.claims.sockets;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Figure;
import dev.buffers.bench.claims.Point;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Messages to an echo server in a JVM of its own and back to this one, over the loopback interface. The server reads and writes
 * through direct buffers of 4,096 bytes. A fork is a server started anew: it is run warm, then driven in a closed loop for
 * throughput, then in an open loop for latency.
 */
final class RoundTrips implements Experiment {
    static final String ID = "round-trips";
    static final String LANE = "sockets";
    static final String CONNECTIONS = "connections";
    static final String IN_FLIGHT = "in-flight";
    static final String BUFFERS = "buffers";
    static final String BYTES = "bytes";

    static final Figure RATE = new Figure("rate", "round trips/s", true);
    static final Figure P50 = new Figure("p50", "us at 50 %", false);
    private static final Figure P99 = new Figure("p99", "us at 99 %", false);
    private static final Figure CPU = new Figure("cpu", "server CPU us/round trip", false);

    /** Those that the claims compare. */
    private static final List<Lane> CLAIMED = List.of(Lane.NIO, Lane.ASYNC, Lane.NIO_THREADED, Lane.ASYNC_THREADED);

    private static final int PIPELINED = 32;

    /** So that what is done for each message counts for more than copying it. */
    private static final int SMALL = 64;

    private static final Duration WARM_UP = Duration.ofMillis(400);
    private static final Duration CLOSED = Duration.ofMillis(600);
    private static final Duration OPEN = Duration.ofMillis(400);
    private static final double START_SECONDS = 0.6;
    private static final Duration SMOKE = Duration.ofMillis(80);

    /** Far below what any lane can do, and the same for all: for a single connection that may have one message out. */
    private static final double OPEN_RATE_OF_ONE = 4000;

    private static final double OPEN_RATE = 8000;
    private static final double SMOKE_RATE = 1000;

    /** Of the client in a closed loop. An open loop has one, which keeps a core to itself. */
    private static final int CLIENT_THREADS = 2;

    /** A lane with one connection, one message in flight and buffers kept by the connection, as in the source. */
    static Point source(Lane lane, int bytes) {
        return point(lane, 1, 1, Memory.CHANNEL, bytes);
    }

    static Point source(Lane lane) {
        return source(lane, SMALL);
    }

    /** The same with many messages in flight. */
    static Point pipelined(Lane lane) {
        return point(lane, 1, PIPELINED, Memory.CHANNEL, SMALL);
    }

    private static Point point(Lane lane, int connections, int inFlight, Memory memory, int bytes) {
        return Point.of(ID, LANE, lane, CONNECTIONS, connections, IN_FLIGHT, inFlight, BUFFERS, memory, BYTES, bytes);
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String question() {
        return "Which way to wait for bytes sends a message back soonest, and most of them, with few and with many connections?";
    }

    @Override
    public List<Figure> figures() {
        return List.of(RATE, P50, P99, CPU);
    }

    @Override
    public Axes axes() {
        return new Axes(CONNECTIONS, LANE, IN_FLIGHT, BUFFERS, BYTES);
    }

    @Override
    public Set<Point> points(Depth depth) {
        Set<Point> points = new LinkedHashSet<>();
        for (Lane lane : CLAIMED) {
            points.add(source(lane));
        }
        points.add(source(Lane.VIRTUAL));
        if (depth != Depth.QUICK) {
            for (Lane lane : Lane.values()) {
                if (lane != Lane.ASYNC_GROUP && lane != Lane.ASYNC_FUTURE) {
                    points.add(pipelined(lane));
                    addConnections(points, lane, 1, Memory.CHANNEL);
                }
            }
            points.add(source(Lane.ASYNC_FUTURE));
            for (Lane lane : List.of(Lane.NIO, Lane.ASYNC)) {
                points.add(point(lane, 100, 1, Memory.OPERATION, SMALL));
                points.add(point(lane, 100, 1, Memory.FRESH, SMALL));
            }
            for (Lane lane : CLAIMED) {
                points.add(source(lane, EchoBuffers.SIZE));
            }
        }
        if (depth == Depth.ALL) {
            for (Lane lane : Lane.values()) {
                for (Memory memory : Memory.values()) {
                    addConnections(points, lane, 1, memory);
                    addConnections(points, lane, PIPELINED, memory);
                }
                for (int connections : List.of(1, 100)) {
                    points.add(point(lane, connections, 1, Memory.CHANNEL, EchoBuffers.SIZE));
                    points.add(point(lane, connections, PIPELINED, Memory.CHANNEL, EchoBuffers.SIZE));
                }
            }
        }
        return points;
    }

    /** One, a hundred, and where a thread for each is no hindrance a thousand connections. */
    private static void addConnections(Set<Point> points, Lane lane, int inFlight, Memory memory) {
        points.add(point(lane, 1, inFlight, memory, SMALL));
        points.add(point(lane, 100, inFlight, memory, SMALL));
        if (lane != Lane.BLOCKING && lane != Lane.ASYNC_FUTURE) {
            points.add(point(lane, 1000, inFlight, memory, SMALL));
        }
    }

    @Override
    public double seconds(Point point) {
        return START_SECONDS + (WARM_UP.toMillis() + CLOSED.toMillis() + OPEN.toMillis()) / 1e3;
    }

    @Override
    public Optional<String> notMeasurable(Point point) {
        return lane(point).obstacle();
    }

    /** The source did not say how long its messages were. */
    @Override
    public Map<Point, Double> then() {
        Map<Point, Double> then = new LinkedHashMap<>();
        then.put(source(Lane.ASYNC), 186_000.0);
        then.put(source(Lane.NIO), 170_000.0);
        then.put(source(Lane.ASYNC_THREADED), 183_000.0);
        then.put(source(Lane.NIO_THREADED), 234_000.0);
        return then;
    }

    @Override
    public Map<String, Double> measure(Point point) throws IOException, InterruptedException {
        try (EchoProcess server = EchoProcess.start(lane(point), memory(point))) {
            double cpuNanos;
            Trips closed;
            try (EchoLoad load = connect(point, server.port(), CLIENT_THREADS)) {
                load.closed(WARM_UP);
                long before = server.numbers().cpuNanos();
                closed = load.closed(CLOSED);
                cpuNanos = server.numbers().cpuNanos() - before;
            }
            Trips open;
            try (EchoLoad load = connect(point, server.port(), 1)) {
                open = load.open(OPEN, openRate(point));
            }
            server.awaitRest();
            return Map.of(
                    RATE.name(),
                    closed.rate(),
                    P50.name(),
                    open.micros(50),
                    P99.name(),
                    open.micros(99),
                    CPU.name(),
                    cpuNanos / 1e3 / closed.count());
        }
    }

    @Override
    public void smoke(Point point) throws IOException, InterruptedException {
        try (Echo echo = new Echo(lane(point), memory(point))) {
            try (EchoLoad load = connect(point, echo.port(), CLIENT_THREADS)) {
                load.closed(SMOKE);
                load.open(SMOKE, SMOKE_RATE);
            }
            echo.awaitRest();
        }
    }

    private static EchoLoad connect(Point point, int port, int threads) throws IOException {
        int connections = Integer.parseInt(point.get(CONNECTIONS));
        int inFlight = Integer.parseInt(point.get(IN_FLIGHT));
        int bytes = Integer.parseInt(point.get(BYTES));
        return EchoLoad.connect(port, connections, inFlight, bytes, Math.min(threads, connections));
    }

    private static double openRate(Point point) {
        boolean one = point.get(CONNECTIONS).equals("1") && point.get(IN_FLIGHT).equals("1");
        return one ? OPEN_RATE_OF_ONE : OPEN_RATE;
    }

    private static Lane lane(Point point) {
        return Lane.named(point.get(LANE));
    }

    private static Memory memory(Point point) {
        return Memory.named(point.get(BUFFERS));
    }
}
