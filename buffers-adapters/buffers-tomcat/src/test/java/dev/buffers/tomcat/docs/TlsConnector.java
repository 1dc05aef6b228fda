// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat.docs;

// tag::tomcat-tls
import dev.buffers.BufferPool;
import dev.buffers.tomcat.PooledHttp11NioProtocol;
import java.nio.file.Path;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.SSLHostConfigCertificate.Type;

/** A connector for HTTPS with the keys of a PKCS12 file. */
public final class TlsConnector {
    private TlsConnector() {}

    public static Connector create(BufferPool pool, BufferPool heapPool, Path keys, String password) {
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host, Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(keys.toString());
        certificate.setCertificateKeystorePassword(password);
        host.addCertificate(certificate);
        Connector connector = new Connector(new PooledHttp11NioProtocol(pool, heapPool));
        connector.setPort(8443);
        connector.setScheme("https");
        connector.setSecure(true);
        connector.setProperty("SSLEnabled", "true");
        connector.addSslHostConfig(host);
        return connector;
    }
}
// end::tomcat-tls
