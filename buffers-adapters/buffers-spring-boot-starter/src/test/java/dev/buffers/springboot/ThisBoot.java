package dev.buffers.springboot;

import java.util.List;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** Boot 4, which takes Tomcat where both servers are on the class path. */
final class ThisBoot {
    private static final String EXCLUDE = "spring.autoconfigure.exclude=org.springframework.boot.";
    private static final String NOT_TOMCAT =
            EXCLUDE + "tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration";

    /** Leaves the server that can be put on the pools. */
    static final String ONLY_SERVER = NOT_TOMCAT;

    private ThisBoot() {}

    /** On the server that can be put on the pools; all that there is when Tomcat is not on the class path. */
    static RunningApplication onlyServer(List<Class<?>> sources) {
        return RunningApplication.start(sources, ONLY_SERVER);
    }

    static RunningApplication jetty(String... properties) {
        return RunningApplication.start(NOT_TOMCAT, properties);
    }

    static RunningApplication tomcat() {
        return RunningApplication.start(EXCLUDE + "jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration");
    }

    static Server jettyOf(RunningApplication application) {
        var context = (ServletWebServerApplicationContext) application.context();
        return ((JettyWebServer) context.getWebServer()).getServer();
    }
}
