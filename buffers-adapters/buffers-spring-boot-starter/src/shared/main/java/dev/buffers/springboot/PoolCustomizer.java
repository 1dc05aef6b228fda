package dev.buffers.springboot;

import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;

/** Puts the embedded server on the pools, or says that this server cannot be. The last customizer, so that it sees what others did. */
final class PoolCustomizer implements WebServerFactoryCustomizer<WebServerFactory>, Ordered {
    private static final Log LOG = LogFactory.getLog(PoolCustomizer.class);

    private final ServerBufferPools pools;
    private final List<ServerAdapter> adapters;

    PoolCustomizer(ServerBufferPools pools, List<ServerAdapter> adapters) {
        this.pools = pools;
        this.adapters = adapters;
    }

    @Override
    public void customize(WebServerFactory factory) {
        String server = factory.getClass().getSimpleName().replaceFirst("(Servlet|Reactive)?WebServerFactory$", "");
        for (ServerAdapter adapter : adapters) {
            if (adapter.adapt(factory, pools)) {
                LOG.info(server + " takes its buffers from the pool '"
                        + pools.pool().name() + "'");
                return;
            }
        }
        LOG.info(server + " keeps buffers of its own, which cannot be replaced: the pool '"
                + pools.pool().name() + "' is there for the application's code only");
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
