package dev.buffers.bench.claims.server;

import dev.buffers.BufferPool;
import dev.buffers.bench.http.BufferSource;
import dev.buffers.bench.http.HttpServer;
import dev.buffers.bench.http.PooledBuffers;
import dev.buffers.bench.http.Server;
import dev.buffers.bench.http.ServerOptions;
import dev.buffers.bench.http.Sources;
import dev.buffers.bench.http.VirtualHttpServer;
import dev.buffers.bench.jvm.VirtualThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a server is made of: where its buffers come from, and what its threads are. */
enum ServerKind {
    HEAP("heap", Sources.POOL, false),
    DIRECT("direct", Sources.POOL, false),
    HEAP_VIEW("heap-view", Sources.POOL, false),
    DIRECT_VIEW("direct-view", Sources.POOL, false),

    /** A new buffer for each need. */
    FRESH_HEAP(null, Sources.FRESH_HEAP, false),
    FRESH_DIRECT(null, Sources.FRESH_DIRECT, false),

    /** Views as they were cut in 2007, which never come back. */
    BUMP_HEAP(null, Sources.BUMP_HEAP, false),
    BUMP_DIRECT(null, Sources.BUMP_DIRECT, false),

    /** What today's JDK offers by itself: virtual threads, blocking channels, no pool. */
    VIRTUAL_FRESH_HEAP(null, Sources.FRESH_HEAP, true),
    VIRTUAL_DIRECT_VIEW("direct-view", Sources.POOL, true);

    /** As many threads carry virtual threads as there are workers otherwise. */
    private static final List<String> CARRIERS =
            List.of("-Djdk.virtualThreadScheduler.parallelism=5", "-Djdk.virtualThreadScheduler.maxPoolSize=5");

    private final @Nullable String policy;
    private final Sources source;
    private final boolean virtual;

    ServerKind(@Nullable String policy, Sources source, boolean virtual) {
        this.policy = policy;
        this.source = source;
        this.virtual = virtual;
    }

    static ServerKind named(String text) {
        for (ServerKind kind : values()) {
            if (kind.toString().equals(text)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no such kind of server: " + text);
    }

    Optional<String> obstacle() {
        return virtual ? VirtualThreads.obstacle() : Optional.empty();
    }

    /** What its JVM is told. */
    List<String> jvmArguments() {
        List<String> arguments = new ArrayList<>();
        if (policy != null) {
            arguments.add("-Dbuffers.policy=" + policy);
        }
        if (virtual) {
            arguments.addAll(CARRIERS);
        }
        return arguments;
    }

    /** What its program is told. */
    List<String> options() {
        List<String> options = new ArrayList<>(List.of("--lane", source.toString()));
        if (virtual) {
            options.add("--virtual");
        }
        return options;
    }

    /** Its buffers in this JVM. */
    BufferSource buffers() {
        return policy == null
                ? source.open()
                : new PooledBuffers(
                        BufferPool.builder("web-server").policy(policy).build());
    }

    /** The server in this JVM. */
    Server start(ServerOptions options, BufferSource buffers) throws IOException {
        return virtual ? VirtualHttpServer.start(options, buffers) : HttpServer.start(options, buffers);
    }

    /** As points call it. */
    @Override
    public String toString() {
        return switch (this) {
            case VIRTUAL_FRESH_HEAP -> "virtual-fresh-heap";
            case VIRTUAL_DIRECT_VIEW -> "virtual-direct-view";
            default -> policy == null ? source.toString() : policy;
        };
    }
}
