// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for the loopback interface, signed by itself, that both ends use; made once, since {@code keytool} is slow. */
public final class Certificate {
    public static final String PASSWORD = "changeit";
    private static final KeyStore KEYS = make();

    private Certificate() {}

    /** A separate context for each server, so that no session outlives the server. */
    public static SSLContext context() throws Exception {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(KEYS, PASSWORD.toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(KEYS);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    /** Writes the keys into a PKCS12 file with this class's password. */
    public static void write(Path file) throws Exception {
        try (OutputStream out = Files.newOutputStream(file)) {
            KEYS.store(out, PASSWORD.toCharArray());
        }
    }

    private static KeyStore make() {
        try {
            Path folder = Files.createTempDirectory("certificate");
            Path file = folder.resolve("keys.p12");
            try {
                keytool(file);
                KeyStore keys = KeyStore.getInstance("PKCS12");
                try (InputStream in = Files.newInputStream(file)) {
                    keys.load(in, PASSWORD.toCharArray());
                }
                return keys;
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (Exception e) {
            throw new IllegalStateException("no certificate: java.home=" + System.getProperty("java.home"), e);
        }
    }

    private static void keytool(Path file) throws Exception {
        String program =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String arguments =
                "-genkeypair -alias server -keyalg EC -dname CN=localhost -ext san=dns:localhost,ip:127.0.0.1"
                        + " -validity 2 -storetype PKCS12 -storepass " + PASSWORD;
        ProcessBuilder builder = new ProcessBuilder(program);
        builder.command().addAll(List.of(arguments.split(" ", -1)));
        builder.command().addAll(List.of("-keystore", file.toString()));
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
        if (process.waitFor() != 0) {
            throw new IllegalStateException(output);
        }
    }
}
