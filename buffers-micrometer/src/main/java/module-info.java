/** A pool's numbers as Micrometer meters. */
module dev.buffers.micrometer {
    requires dev.buffers;
    requires micrometer.core;
    requires static org.jspecify;
}
