package example;

// tag::servlet-listener
import dev.buffers.BufferPool;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;

/** The pool of a web application: open while the application is deployed. */
public final class PoolOfApplication implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        event.getServletContext().setAttribute("pool", BufferPool.create("application"));
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        ((BufferPool) event.getServletContext().getAttribute("pool")).close();
    }
}
// end::servlet-listener
