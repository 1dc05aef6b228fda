// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import java.util.List;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.Http11Nio2Protocol;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.web.embedded.jetty.JettyWebServer;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.boot.web.embedded.tomcat.TomcatWebServer;
import org.springframework.boot.web.embedded.undertow.UndertowServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.server.ServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Boot 3.5, which takes Tomcat before Jetty and Jetty before Undertow. Tomcat is on the class path of Tomcat's test only. */
final class ThisBoot {
    /** Nothing: Boot chooses the server. */
    private static final String ONLY_SERVER = "spring.application.name=test";

    static final List<String> SERVERS = List.of(ONLY_SERVER);

    private ThisBoot() {}

    /** On the server that Boot chooses. */
    static RunningApplication onlyServer(List<Class<?>> sources) {
        return RunningApplication.start(sources, ONLY_SERVER);
    }

    static RunningApplication jetty(String... properties) {
        return RunningApplication.start(ONLY_SERVER, properties);
    }

    static RunningApplication undertow(String... properties) {
        return RunningApplication.start(List.of(TestApplication.class, UndertowFactory.class), ONLY_SERVER, properties);
    }

    static RunningApplication tomcat(List<Class<?>> sources, String... properties) {
        return RunningApplication.start(sources, ONLY_SERVER, properties);
    }

    static Server jettyOf(RunningApplication application) {
        var context = (ServletWebServerApplicationContext) application.context();
        return ((JettyWebServer) context.getWebServer()).getServer();
    }

    @Configuration(proxyBeanMethods = false)
    static class UndertowFactory {
        @Bean
        ServletWebServerFactory undertowServletWebServerFactory() {
            return new UndertowServletWebServerFactory();
        }
    }

    static Connector connectorOf(RunningApplication application) {
        var context = (ServletWebServerApplicationContext) application.context();
        return ((TomcatWebServer) context.getWebServer()).getTomcat().getConnector();
    }

    /** Whose protocol is the application's choice. */
    @Configuration(proxyBeanMethods = false)
    static class OtherProtocol {
        @Bean
        WebServerFactoryCustomizer<TomcatServletWebServerFactory> otherProtocol() {
            return factory -> factory.setProtocol(Http11Nio2Protocol.class.getName());
        }
    }

    /** Whose TLS is OpenSSL, by its name. */
    @Configuration(proxyBeanMethods = false)
    static class OpenSsl {
        @Bean
        WebServerFactoryCustomizer<TomcatServletWebServerFactory> openSsl() {
            return factory -> factory.addConnectorCustomizers(
                    connector -> connector.setProperty("sslImplementationName", OpenSslByName.class.getName()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TomcatFactory {
        @Bean
        TomcatServletWebServerFactory tomcatServletWebServerFactory() {
            return new TomcatServletWebServerFactory();
        }
    }
}
