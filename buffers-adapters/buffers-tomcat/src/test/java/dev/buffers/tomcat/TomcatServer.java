// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import dev.buffers.BufferPool;
import dev.buffers.LeakTracking;
import dev.buffers.adapters.Reply;
import dev.buffers.adapters.ServerUnderTest;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.OnMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Valve;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.websocket.server.WsSci;

/** Tomcat on our pools, as the contract asks for a server: HTTP/1.1 and HTTP/2, TLS, files, compression, the replies, a web socket. */
final class TomcatServer implements ServerUnderTest {
    /** It would tell of each start, and of each client that vanishes. */
    private static final Logger LOG = Logger.getLogger("org.apache");

    private final boolean pooled;
    private final BufferPool pool;
    private final BufferPool heapPool;
    private final TestTls tls;
    private final TestTls named;
    private final Tomcat tomcat = new Tomcat();
    private final Context root;
    private final Connector http;
    private final Connector https;

    /** Not started, so that a test can add servlets. */
    TomcatServer(
            Path folder,
            SSLContext context,
            UnaryOperator<BufferPool.Builder> settings,
            Optional<ExecutorService> threads)
            throws IOException {
        this(folder, context, settings, threads, true);
    }

    /** The same, on our pools or on Tomcat's own buffers. */
    TomcatServer(
            Path folder,
            SSLContext context,
            UnaryOperator<BufferPool.Builder> settings,
            Optional<ExecutorService> threads,
            boolean pooled)
            throws IOException {
        this.pooled = pooled;
        LOG.setLevel(Level.OFF);
        pool = settings.apply(BufferPool.builder("tomcat").leaks(LeakTracking.all()))
                .build();
        heapPool = settings.apply(BufferPool.builder("tomcat-heap").leaks(LeakTracking.all()))
                .policy("heap")
                .build();
        tls = new TestTls(context);
        named = new TestTls(context);
        tomcat.setBaseDir(Files.createTempDirectory(folder, "tomcat").toString());
        http = connector(threads);
        https = connector(threads);
        https.setSecure(true);
        https.setScheme("https");
        https.setProperty("SSLEnabled", "true");
        https.addSslHostConfig(tls.host("_default_"));
        https.addSslHostConfig(named.host("localhost"));
        root = tomcat.addContext("", null);
        for (Reply reply : Reply.values()) {
            add(reply.path(), new Replies(reply));
        }
        add("/ws", new Nothing()); // Tomcat's filter for web sockets needs a servlet behind it
        root.addServletContainerInitializer((classes, servlets) -> addWebSocket(servlets), null);
        addFiles(folder);
    }

    private Connector connector(Optional<ExecutorService> threads) {
        Connector connector =
                new Connector(pooled ? new PooledHttp11NioProtocol(pool, heapPool) : new Http11NioProtocol());
        connector.setPort(0);
        connector.setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
        connector.setProperty("compression", "on");
        connector.addUpgradeProtocol(new Http2Protocol());
        threads.ifPresent(connector.getProtocolHandler()::setExecutor);
        tomcat.getService().addConnector(connector);
        return connector;
    }

    private void addFiles(Path folder) {
        Context files = tomcat.addContext("/files", folder.toString());
        files.addMimeMapping("txt", "text/plain");
        Tomcat.addServlet(files, "files", new DefaultServlet()).addMapping("/");
        Wrapper text = Tomcat.addServlet(files, "text", new DefaultServlet());
        text.addInitParameter("sendfileSize", "-1"); // files sent by the system cannot be compressed
        text.addMapping("/text.txt");
    }

    private static void addWebSocket(ServletContext servlets) throws ServletException {
        new WsSci().onStartup(null, servlets);
        ServerContainer container = (ServerContainer) servlets.getAttribute(ServerContainer.class.getName());
        container.setDefaultMaxTextMessageBufferSize(1 << 20);
        container.setDefaultMaxBinaryMessageBufferSize(1 << 20);
        try {
            container.addEndpoint(Echo.class);
        } catch (DeploymentException e) {
            throw new ServletException(e);
        }
    }

    void add(String path, HttpServlet servlet) {
        Wrapper wrapper = Tomcat.addServlet(root, path, servlet);
        wrapper.setAsyncSupported(true);
        wrapper.addMapping(path);
    }

    /** Works at that many requests at most, and answers 503 to the others. */
    void limit(int requests) {
        tomcat.getHost().getPipeline().addValve(limited(new Semaphore(requests)));
    }

    private static Valve limited(Semaphore permits) {
        return new ValveBase() {
            @Override
            public void invoke(Request request, Response response) throws IOException, ServletException {
                if (!permits.tryAcquire()) {
                    response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
                    return;
                }
                try {
                    getNext().invoke(request, response);
                } finally {
                    permits.release();
                }
            }
        };
    }

    TomcatServer start() throws Exception {
        tomcat.start();
        return this;
    }

    Connector connector(boolean secure) {
        return secure ? https : http;
    }

    /** For those that named the host {@code localhost}. */
    TestTls named() {
        return named;
    }

    /** For all others. */
    TestTls unnamed() {
        return tls;
    }

    @Override
    public URI http() {
        return URI.create("http://127.0.0.1:" + http.getLocalPort());
    }

    @Override
    public URI https() {
        return URI.create("https://127.0.0.1:" + https.getLocalPort());
    }

    @Override
    public List<BufferPool> pools() {
        return List.of(heapPool, pool); // HTTP/2 and TLS use the first alone
    }

    @Override
    public void stop() throws Exception {
        if (tomcat.getServer().getState() != LifecycleState.DESTROYED) {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    private static final class Replies extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final Reply reply;

        private Replies(Reply reply) {
            this.reply = reply;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            reply.reply(request.getInputStream(), response.getOutputStream());
        }
    }

    private static final class Nothing extends HttpServlet {
        private static final long serialVersionUID = 1;
    }

    /** Sends every message back. */
    @ServerEndpoint("/ws")
    public static final class Echo {
        @OnMessage
        public void text(Session session, String message) throws IOException {
            session.getBasicRemote().sendText(message);
        }

        @OnMessage
        public void binary(Session session, ByteBuffer message) throws IOException {
            session.getBasicRemote().sendBinary(message);
        }
    }
}
