// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import dev.buffers.BufferPool;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.tomcat.PooledHttp11NioProtocol;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.jspecify.annotations.Nullable;

/** Tomcat. */
final class EmbeddedTomcat {
    private EmbeddedTomcat() {}

    /** A connector, and our pools behind it. */
    record Connection(Connector connector, List<BufferPool> pools) {

        static Connection create(boolean ours, @Nullable Tls tls) {
            List<BufferPool> pools = ours
                    ? List.of(
                            BufferPool.builder("tomcat").forServer().build(),
                            BufferPool.builder("tomcat-heap")
                                    .forServer()
                                    .policy("heap")
                                    .build())
                    : List.of();
            Connector connector = new Connector(
                    ours ? new PooledHttp11NioProtocol(pools.get(0), pools.get(1)) : new Http11NioProtocol());
            connector.setPort(0);
            connector.setProperty("address", InetAddress.getLoopbackAddress().getHostAddress());
            connector.setProperty("maxKeepAliveRequests", "-1"); // as the others
            connector.setProperty("maxConnections", "-1");
            connector.setProperty("keepAliveTimeout", String.valueOf(Embedded.IDLE_SECONDS * 1_000));
            configure(connector, ours);
            if (tls != null) {
                secure(connector, tls);
            }
            return new Connection(connector, pools);
        }

        /** Sets the attributes that the user gave. Tomcat's protocol lacks those that only the pool's has. */
        private static void configure(Connector connector, boolean ours) {
            String attributes = System.getProperty(WaitingContestant.CONNECTOR, "");
            for (String attribute : attributes.isEmpty() ? new String[0] : attributes.split(",", -1)) {
                String[] pair = attribute.split("=", 2);
                if (!connector.setProperty(pair[0], pair[1]) && ours) {
                    throw new IllegalArgumentException("no such attribute of the connector: " + pair[0]);
                }
            }
        }

        private static void secure(Connector connector, Tls tls) {
            SSLHostConfig host = new SSLHostConfig();
            SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.EC);
            certificate.setCertificateKeystore(tls.keys());
            certificate.setCertificateKeystorePassword(Tls.PASSWORD);
            host.addCertificate(certificate);
            connector.setProperty("SSLEnabled", "true");
            connector.addSslHostConfig(host);
        }

        /** Starts a Tomcat of this connector alone. */
        Embedded start(Tomcat tomcat) throws IOException {
            tomcat.setConnector(connector);
            try {
                tomcat.start();
            } catch (LifecycleException e) {
                throw new IOException(e);
            }
            return new Embedded(connector.getLocalPort(), pools, () -> {
                try {
                    tomcat.stop();
                    tomcat.destroy();
                } catch (LifecycleException e) {
                    throw new IOException(e);
                }
                pools.forEach(BufferPool::close);
            });
        }
    }

    static Embedded start(Contents contents, Work work, boolean ours, @Nullable Tls tls) throws IOException {
        Connection on = Connection.create(ours, tls);
        if (work == Work.VIRTUAL) {
            var threads = VirtualThreads.factory();
            Executor executor = task -> threads.newThread(task).start();
            on.connector().getProtocolHandler().setExecutor(executor);
        }
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        Context context = tomcat.addContext("", contents.root().toString());
        Tomcat.addServlet(context, "all", work == Work.FILES ? new DefaultServlet() : new Streams(contents))
                .addMapping("/");
        return on.start(tomcat);
    }

    private static final class Streams extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient Contents contents;

        Streams(Contents contents) {
            this.contents = contents;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] content = contents.of(request.getServletPath());
            response.setContentLength(content.length);
            response.getOutputStream().write(content);
        }
    }
}
