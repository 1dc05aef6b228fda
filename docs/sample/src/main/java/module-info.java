/** A user of the pool and of its meters. */
module sample {
    requires dev.buffers.micrometer;
}
