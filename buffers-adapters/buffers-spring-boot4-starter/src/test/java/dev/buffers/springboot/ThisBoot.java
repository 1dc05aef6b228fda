// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import java.util.List;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.Http11Nio2Protocol;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Boot 4, which takes Tomcat where both servers are on the class path. */
final class ThisBoot {
    private static final String EXCLUDE = "spring.autoconfigure.exclude=org.springframework.boot.";
    private static final String NOT_TOMCAT =
            EXCLUDE + "tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration";

    private static final String NOT_JETTY =
            EXCLUDE + "jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration"
                    + ",org.springframework.boot.jetty.autoconfigure.actuate.web.server."
                    + "JettyServletManagementContextAutoConfiguration";

    /** Each leaves one server. */
    static final List<String> SERVERS = List.of(NOT_TOMCAT, NOT_JETTY);

    private ThisBoot() {}

    /** On Boot's default server. */
    static RunningApplication onlyServer(List<Class<?>> sources) {
        return RunningApplication.start(sources, NOT_JETTY);
    }

    static RunningApplication jetty(String... properties) {
        return RunningApplication.start(NOT_TOMCAT, properties);
    }

    static RunningApplication tomcat(List<Class<?>> sources, String... properties) {
        return RunningApplication.start(sources, NOT_JETTY, properties);
    }

    static Server jettyOf(RunningApplication application) {
        var context = (ServletWebServerApplicationContext) application.context();
        return ((JettyWebServer) context.getWebServer()).getServer();
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
