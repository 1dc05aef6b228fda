// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.SSLHostConfigCertificate.Type;

/** The JDK's context as Tomcat wants one, with a count of the connections that it was chosen for. */
final class TestTls implements org.apache.tomcat.util.net.SSLContext {
    private final SSLContext context;
    private final AtomicInteger engines = new AtomicInteger();
    private volatile WatchedEngine.BeforeWrap beforeWrap = () -> {};

    TestTls(SSLContext context) {
        this.context = context;
    }

    /** For connections that name this host; {@code _default_} for all others. */
    SSLHostConfig host(String name) {
        SSLHostConfig host = new SSLHostConfig();
        host.setHostName(name);
        SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host, Type.EC);
        certificate.setSslContext(this);
        host.addCertificate(certificate);
        return host;
    }

    void beforeWrap(WatchedEngine.BeforeWrap hook) {
        beforeWrap = hook;
    }

    int engines() {
        return engines.get();
    }

    @Override
    public void init(KeyManager[] keys, TrustManager[] trusted, SecureRandom random) {}

    @Override
    public void destroy() {}

    @Override
    public SSLSessionContext getServerSessionContext() {
        return context.getServerSessionContext();
    }

    @Override
    public SSLEngine createSSLEngine() {
        engines.incrementAndGet();
        return new WatchedEngine(context.createSSLEngine(), () -> beforeWrap.run());
    }

    @Override
    public SSLServerSocketFactory getServerSocketFactory() {
        return context.getServerSocketFactory();
    }

    @Override
    public SSLParameters getSupportedSSLParameters() {
        return context.getSupportedSSLParameters();
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return new X509Certificate[0];
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
