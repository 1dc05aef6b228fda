package dev.buffers.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.WebServerFactory;

/** Boot's default server has buffers that cannot be replaced: it says so, and the rest is there. */
@ExtendWith(OutputCaptureExtension.class)
class TomcatStarterTest {
    /** Called as Boot's is. */
    private static final class NettyReactiveWebServerFactory implements WebServerFactory {}

    @Test
    void tomcatKeepsItsBuffersAndTheApplicationHasThePool(CapturedOutput output) throws Exception {
        BufferPool pool;
        try (RunningApplication application = ThisBoot.tomcat()) {
            assertTrue(
                    output.getOut()
                            .contains("Tomcat keeps buffers of its own, which cannot be replaced: the pool 'server'"),
                    output.getOut());
            assertEquals("hello", application.get("/hello"));
            pool = application.context().getBean(BufferPool.class);
            pool.acquire(1024).release();
            assertEquals(1, ServerContract.acquires(pool));
            assertTrue(application.get("/actuator/buffers").contains("\"name\":\"server\""));
            assertTrue(application.get("/actuator/metrics").contains("buffers.pool.acquires"));
            application.context().getBean(PoolCustomizer.class).customize(new NettyReactiveWebServerFactory());
            assertTrue(output.getOut().contains("Netty keeps buffers of its own"), output.getOut());
        }
        assertThrows(IllegalStateException.class, () -> pool.acquire(1));
    }
}
