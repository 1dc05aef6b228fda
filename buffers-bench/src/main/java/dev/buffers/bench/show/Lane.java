package dev.buffers.bench.show;

import dev.buffers.bench.http.Sources;
import java.util.List;

/** One of the servers that are compared: a policy of the pool, or a rival without a pool. */
enum Lane {
    HEAP("heap", Sources.POOL, "pool: one array for each buffer"),
    DIRECT("direct", Sources.POOL, "pool: one direct buffer each"),
    HEAP_VIEW("heap-view", Sources.POOL, "pool: views of large arrays"),
    DIRECT_VIEW("direct-view", Sources.POOL, "pool: views of large direct buffers (the default)"),
    UNPOOLED("unpooled", Sources.POOL, "pool's policy of plain heap buffers under its cap"),
    FRESH_HEAP("fresh heap", Sources.FRESH_HEAP, "rival: ByteBuffer.allocate for each need"),
    FRESH_DIRECT("fresh direct", Sources.FRESH_DIRECT, "rival: ByteBuffer.allocateDirect for each need");

    /** What one gets without setting anything: the others have to beat it. */
    static final Lane DEFAULT = DIRECT_VIEW;

    private final String label;
    private final Sources source;
    private final String meaning;

    Lane(String label, Sources source, String meaning) {
        this.label = label;
        this.source = source;
        this.meaning = meaning;
    }

    String label() {
        return label;
    }

    String meaning() {
        return meaning;
    }

    Sources source() {
        return source;
    }

    /** Whether {@code -Dbuffers.policy} can be set to it. */
    boolean isPolicy() {
        return source == Sources.POOL;
    }

    /** What its JVM is told beyond what all are told. */
    List<String> jvmArguments() {
        return isPolicy() ? List.of("-Dbuffers.policy=" + label) : List.of();
    }
}
