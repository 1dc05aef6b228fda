package example;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.micrometer.BufferPoolMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** A bundle with a pool, from its start to its stop. */
public final class Application implements BundleActivator {
    private final BufferPool pool = BufferPool.create("osgi");
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Override
    public void start(BundleContext context) {
        BufferPoolMetrics.monitor(registry, pool);
        try (PooledBuffer lease = pool.acquire(1024)) {
            System.out.println("acquired in the bundle '" + context.getBundle().getSymbolicName() + "': "
                    + lease.buffer() + ", meters: " + registry.getMeters().size());
        }
    }

    @Override
    public void stop(BundleContext context) {
        registry.close();
        pool.close();
    }
}
