/** A pool's numbers as Micrometer meters. */
module dev.buffers.micrometer {
    requires transitive dev.buffers;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports dev.buffers.micrometer;
}
