package dev.buffers.bench.claims;

import java.util.List;

/** The claims of one source, and the experiments that they rest on. */
public interface Family {

    List<Experiment> experiments();

    List<Claim> claims();
}
