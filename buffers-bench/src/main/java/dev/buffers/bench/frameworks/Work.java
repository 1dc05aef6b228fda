package dev.buffers.bench.frameworks;

import dev.buffers.bench.jvm.VirtualThreads;
import java.util.Locale;
import java.util.Optional;

/** What a server does for a request. */
enum Work {
    /** The framework's own handler of static files, as it is shipped. */
    FILES,
    /** Code of the user's that writes the file's bytes, which it has in memory, to a blocking stream. */
    STREAMS,
    /** The same on a virtual thread for each request. */
    VIRTUAL;

    static Work named(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    Optional<String> obstacle() {
        return this == VIRTUAL ? VirtualThreads.obstacle() : Optional.empty();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
