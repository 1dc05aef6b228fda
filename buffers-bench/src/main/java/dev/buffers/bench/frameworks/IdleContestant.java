// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.frameworks;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.harness.Comparison;
import dev.buffers.bench.harness.OnceContestant;
import dev.buffers.bench.harness.Variant;
import dev.buffers.bench.jvm.ChildJvm;
import dev.buffers.bench.jvm.Footprint;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The bytes that a framework's JVM holds for each idle keep-alive connection: 2,000 have had one answer each, and are silent. Counted after
 * one collection, against the bytes before. The side's parameters are {@link FrameworkContestant}'s.
 */
public final class IdleContestant extends OnceContestant {
    private static final int CONNECTIONS = 2_000;
    private static final int FIRST = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SETTLE_MILLIS = 3_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ChildJvm jvm;
    private final int port;
    private final String request;
    private final boolean secure;
    private int connections = CONNECTIONS;

    /** Starts the server on a folder; the requests are for its smallest file. */
    public IdleContestant(Comparison comparison, Variant side, Path root) throws IOException, InterruptedException {
        jvm = FrameworkContestant.jvm(comparison, side, root);
        port = Integer.parseInt(jvm.firstLine(""));
        secure = FrameworkContestant.isSecure(side);
        request = "GET /" + smallest(root) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    private static Path smallest(Path root) throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            return files.min((a, b) ->
                            Long.compare(a.toFile().length(), b.toFile().length()))
                    .orElseThrow(() -> new IOException("no file in " + root))
                    .getFileName();
        }
    }

    @Override
    protected void start(String work, Map<String, String> parameters) {
        connections = parameters.containsKey(Comparison.LITTLE) ? 10 : CONNECTIONS;
    }

    @Override
    protected Map<String, Double> await() throws IOException, InterruptedException {
        close(open(Math.min(FIRST, connections)));
        Thread.sleep(SETTLE_MILLIS);
        Footprint before = collected();
        List<Socket> sockets = open(connections);
        Thread.sleep(SETTLE_MILLIS);
        Footprint after = collected();
        for (Socket socket : sockets) {
            ask(socket); // a connection that the server has closed holds nothing
        }
        close(sockets);
        return Map.of(
                "held", after.growth(before) / connections,
                "heap", (double) (after.heap() - before.heap()) / connections,
                "direct", (double) (after.direct() - before.direct()) / connections,
                "resident", after.residentGrowth(before) / connections);
    }

    private List<Socket> open(int count) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            var tls = secure ? Tls.client().getSocketFactory() : null;
            for (int i = 0; i < count; i++) {
                Socket wire = new Socket(InetAddress.getLoopbackAddress(), port);
                Socket socket = tls == null ? wire : tls.createSocket(wire, "localhost", port, true);
                sockets.add(socket);
                wire.setTcpNoDelay(true); // or a handshake's last record and the request wait for each other
                socket.setSoTimeout((int) PATIENCE.toMillis());
                ask(socket);
            }
            return sockets;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private void ask(Socket socket) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        readAnswer(socket.getInputStream());
    }

    private static void readAnswer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) read(in));
        }
        String text = head.toString().toLowerCase(java.util.Locale.ROOT);
        int at = text.indexOf("content-length:");
        if (!text.startsWith("http/1.1 200") || at < 0) {
            throw new IOException("no answer with a length: " + text);
        }
        long length =
                Long.parseLong(text.substring(at + 15, text.indexOf('\r', at)).trim());
        in.skipNBytes(length);
    }

    private static int read(InputStream in) throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("the server has closed the connection");
        }
        return next;
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private Footprint collected() throws IOException, InterruptedException {
        jvm.tell(FrameworkProgram.COLLECTED);
        return JSON.readValue(jvm.line(PATIENCE), Footprint.class);
    }

    @Override
    public Duration cpu() {
        return jvm.cpu();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
