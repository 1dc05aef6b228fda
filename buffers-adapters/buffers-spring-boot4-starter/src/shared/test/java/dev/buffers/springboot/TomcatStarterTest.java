// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.tomcat.PooledHttp11NioProtocol;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.Http11Nio2Protocol;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizerBeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Boot's default server. */
class TomcatStarterTest extends ServerContract {
    private static final String NO_SERVER = "no server takes its buffers from the pool 'server'";

    /** Called as Boot's is. */
    private static final class NettyReactiveWebServerFactory implements WebServerFactory {}

    @Override
    String server() {
        return "Tomcat";
    }

    @Override
    RunningApplication start(String... properties) {
        return ThisBoot.tomcat(List.of(TestApplication.class), properties);
    }

    @Test
    void attributesOfBootStaySet() throws Exception {
        try (RunningApplication application = start(
                "server.tomcat.max-connections=7",
                "server.tomcat.connection-timeout=12s",
                "server.tomcat.threads.max=3",
                "server.shutdown=graceful")) {
            assertEquals("hello", application.get("/hello"));
            PooledHttp11NioProtocol protocol = protocol(application);
            assertSame(application.pools().pool(), protocol.pool());
            assertSame(application.pools().heapPool(), protocol.heapPool());
            assertEquals(7, protocol.getMaxConnections());
            assertEquals(12_000, protocol.getConnectionTimeout());
            assertEquals(3, protocol.getMaxThreads());
        }
    }

    private static PooledHttp11NioProtocol protocol(RunningApplication application) {
        Connector connector = ThisBoot.connectorOf(application);
        return assertInstanceOf(PooledHttp11NioProtocol.class, connector.getProtocolHandler());
    }

    @Tag("full")
    @Test
    void bundleIsReloadedUnderHttp2() throws Exception {
        KeyStores.Made first = KeyStores.make();
        KeyStores.Made second = KeyStores.make();
        try (RunningApplication application = start(
                "server.http2.enabled=true",
                "server.ssl.bundle=web",
                "spring.ssl.bundle.jks.web.keystore.location=" + first.file().toUri(),
                "spring.ssl.bundle.jks.web.keystore.password=" + KeyStores.PASSWORD,
                "spring.ssl.bundle.jks.web.reload-on-update=true",
                "spring.ssl.bundle.watch.file.quiet-period=50ms")) {
            assertEquals(HttpClient.Version.HTTP_2, hello(application, first).version());
            assertTrue(acquires(application.pools().heapPool()) > 0);
            Files.copy(second.file(), first.file(), StandardCopyOption.REPLACE_EXISTING);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            while (true) {
                try {
                    assertEquals("hello", hello(application, second).body());
                    break;
                } catch (IOException e) {
                    assertTrue(System.nanoTime() - end < 0, e::toString);
                    Thread.sleep(50);
                }
            }
        }
    }

    private static HttpResponse<String> hello(RunningApplication application, KeyStores.Made keys) throws Exception {
        int port = ThisBoot.connectorOf(application).getLocalPort();
        return HttpClient.newBuilder()
                .sslContext(keys.context())
                .build()
                .send(
                        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/hello"))
                                .build(),
                        BodyHandlers.ofString());
    }

    @Test
    void managementServerIsOnPoolToo(CapturedOutput output) throws Exception {
        try (RunningApplication application = start("management.server.port=0")) {
            assertManagementServerShowsThePool(application);
            String log = output.getOut();
            String line = "Tomcat takes its buffers from the pool 'server', with TLS from 'server-heap'";
            assertEquals(3, log.split(line, -1).length, log);
        }
    }

    @Test
    void managementServerKeepsItsOwnBuffersByOneProperty(CapturedOutput output) throws Exception {
        try (RunningApplication application = start("management.server.port=0", "buffers.spring.enabled=false")) {
            assertManagementServerShowsThePool(application);
            for (BufferPool pool : application.pools().all()) {
                assertEquals(0, acquires(pool), pool::name);
            }
            assertFalse(output.getOut().contains("Tomcat takes its buffers"), output.getOut());
            assertTrue(output.getOut().contains(NO_SERVER), output.getOut());
        }
    }

    private static void assertManagementServerShowsThePool(RunningApplication application) throws Exception {
        String port = application.context().getEnvironment().getProperty("local.management.port");
        String endpoint = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/buffers"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        assertTrue(endpoint.contains("\"name\":\"server\""), endpoint);
    }

    @Test
    void twoApplicationsHavePoolsOfTheirOwn() throws Exception {
        try (RunningApplication one = start();
                RunningApplication two = start()) {
            assertEquals("hello", one.get("/hello"));
            assertEquals("hello", two.get("/hello"));
            assertEquals("server-2", protocol(two).pool().name());
        }
    }

    @Test
    void protocolOfTheApplicationStays(CapturedOutput output) throws Exception {
        try (RunningApplication application =
                ThisBoot.tomcat(List.of(TestApplication.class, ThisBoot.OtherProtocol.class))) {
            assertEquals("hello", application.get("/hello"));
            assertInstanceOf(
                    Http11Nio2Protocol.class, ThisBoot.connectorOf(application).getProtocolHandler());
            assertTrue(output.getOut().contains("Tomcat keeps its own buffers"), output.getOut());
            assertTrue(output.getOut().contains(NO_SERVER), output.getOut());
            assertEquals(0, acquires(application.pools().pool()));
        }
    }

    @Test
    void serverWithOpenSslKeepsItsBuffers(CapturedOutput output) throws Exception {
        KeyStores.Made keys = KeyStores.make();
        try (RunningApplication application = ThisBoot.tomcat(
                List.of(TestApplication.class, ThisBoot.OpenSsl.class),
                "server.ssl.bundle=web",
                "spring.ssl.bundle.jks.web.keystore.location=" + keys.file().toUri(),
                "spring.ssl.bundle.jks.web.keystore.password=" + KeyStores.PASSWORD)) {
            assertEquals("hello", hello(application, keys).body());
            for (BufferPool pool : application.pools().all()) {
                assertEquals(0, acquires(pool), pool::name);
            }
            String log = output.getOut();
            assertEquals(2, log.split("this connector keeps Tomcat's own buffers, because OpenSSL", -1).length, log);
            assertFalse(log.contains("Tomcat takes its buffers"), log);
            assertTrue(log.contains(NO_SERVER), log);
        }
    }

    @Test
    void unknownServerKeepsItsBuffers(CapturedOutput output) throws Exception {
        try (RunningApplication application = start()) {
            application.context().getBean(PoolCustomizer.class).customize(new NettyReactiveWebServerFactory());
            assertTrue(output.getOut().contains("Netty keeps its own buffers"), output.getOut());
        }
    }

    @Test
    void contextWithoutServerNamesNone(CapturedOutput output) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
                BuffersAutoConfiguration.class,
                BuffersTomcatAutoConfiguration.class,
                BuffersWebServerAutoConfiguration.class,
                WebServerFactoryCustomizerBeanPostProcessor.class,
                ThisBoot.TomcatFactory.class)) {
            assertTrue(context.getBean(PoolsWithoutServer.class) != null);
            assertFalse(output.getOut().contains("Tomcat takes"), output.getOut());
            assertTrue(output.getOut().contains(NO_SERVER), output.getOut());
        }
    }
}
