package dev.buffers.bench.frameworks;

import java.io.IOException;
import java.util.Locale;

/** Whose server it is. */
enum Framework {
    UNDERTOW,
    JETTY,
    /** Drops buffers of connections that end: its adapter's tests name the places. */
    GRIZZLY;

    static Framework named(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /**
     * Starts its server with its defaults.
     *
     * @param ours whether on this library's pool, with what the system properties say, or on its own
     */
    Embedded start(Contents contents, Work work, boolean ours) throws IOException {
        return switch (this) {
            case UNDERTOW -> new EmbeddedUndertow(contents, work, ours);
            case JETTY -> new EmbeddedJetty(contents, work, ours);
            case GRIZZLY -> new EmbeddedGrizzly(contents, work, ours);
        };
    }

    /** Whether no lease may be lost in it. */
    boolean losesNothing() {
        return this != GRIZZLY;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
