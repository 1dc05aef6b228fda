/** A JUnit extension that fails a test which leaves a lease open. */
module dev.buffers.junit {
    requires transitive dev.buffers;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports dev.buffers.junit;
}
