// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.bench.jvm.VirtualThreads;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.websocket.server.WsSci;
import org.jspecify.annotations.Nullable;

/** Tomcat for clients that wait. */
final class WaitingTomcat {
    private WaitingTomcat() {}

    static Embedded start(Way way, boolean ours, @Nullable Tls tls, Waiters waiters) throws IOException {
        EmbeddedTomcat.Connection on = EmbeddedTomcat.Connection.create(ours, tls);
        Connector connector = on.connector();
        connector.setProperty("connectionTimeout", String.valueOf(Embedded.IDLE_SECONDS * 1_000));
        if (way == Way.DOWNLOAD) {
            connector.setProperty("socket.txBufSize", String.valueOf(Waiters.SEND_BUFFER));
        }
        if (way.isHttp2()) {
            Http2Protocol http2 = new Http2Protocol();
            http2.setKeepAliveTimeout(Embedded.IDLE_SECONDS * 1_000L);
            connector.addUpgradeProtocol(http2);
        }
        if (way == Way.UPLOAD_BLOCKING) {
            var threads = VirtualThreads.factory();
            Executor executor = task -> threads.newThread(task).start();
            connector.getProtocolHandler().setExecutor(executor);
        }
        String folder = Files.createTempDirectory("tomcat").toString();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder);
        Context context = tomcat.addContext("", folder);
        Wrapper all = Tomcat.addServlet(context, "all", new WaitingServlet(waiters, way == Way.UPLOAD_BLOCKING));
        all.setAsyncSupported(true);
        all.addMapping("/");
        context.addServletContainerInitializer((classes, servlets) -> addSocket(servlets), Set.of());
        return on.start(tomcat);
    }

    private static void addSocket(ServletContext servlets) throws ServletException {
        new WsSci().onStartup(null, servlets);
        ServerContainer container = (ServerContainer) servlets.getAttribute(ServerContainer.class.getName());
        try {
            container.addEndpoint(ServerEndpointConfig.Builder.create(Echo.class, Waiters.SOCKET)
                    .build());
        } catch (DeploymentException e) {
            throw new ServletException(e);
        }
    }

    /** Sends each text back. */
    public static final class Echo extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.addMessageHandler(String.class, (MessageHandler.Whole<String>) text -> {
                try {
                    session.getBasicRemote().sendText(text);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
