package dev.buffers.bench.frameworks;

import java.util.List;

/** F7: garbage. */
final class F7AllocatesLess extends FrameworkClaim {

    @Override
    public String id() {
        return "F7 allocates";
    }

    @Override
    public String statement() {
        return "A framework's server allocates less for a request on this pool than on its own.";
    }

    @Override
    public List<Trial> trials() {
        return each(FrameworkServer.ALLOCATED).toList();
    }
}
