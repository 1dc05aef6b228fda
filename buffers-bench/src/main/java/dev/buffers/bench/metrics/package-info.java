/** How a Prometheus server looks on while a server of the bench runs: the option {@code --metrics}, and what answers it. */
@NullMarked
package dev.buffers.bench.metrics;

import org.jspecify.annotations.NullMarked;
