// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Some clients at once, each with one request after another of any kind, every other of which it does not end as it should. */
final class MixedLoad {
    private static final int CLIENTS = 8;

    private final Client client;
    private final List<Protocol> protocols;
    private final List<Protocol> compressed;
    private final long seed = System.nanoTime();

    /** With some of these protocols files can be fetched compressed. */
    MixedLoad(Client client, List<Protocol> protocols, List<Protocol> compressed) {
        this.client = client;
        this.protocols = protocols;
        this.compressed = compressed;
    }

    void run(Duration duration) throws Exception {
        long end = System.nanoTime() + duration.toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(seed + i);
                Callable<Void> requests = () -> requests(random, end);
                clients.add(threads.submit(requests));
            }
            for (Future<Void> one : clients) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Void requests(Random random, long end) throws Exception {
        while (System.nanoTime() - end < 0) {
            Protocol protocol = protocols.get(random.nextInt(protocols.size()));
            if (random.nextBoolean()) {
                whole(protocol, random);
            } else {
                broken(protocol, random);
            }
        }
        return null;
    }

    private void whole(Protocol protocol, Random random) throws Exception {
        switch (random.nextInt(8)) {
            case 0 -> client.upload(protocol);
            case 1 -> client.uploadChunked(protocol);
            case 2 -> client.echo(protocol);
            case 3 -> client.stream(protocol);
            case 4, 5 -> {
                if (compressed.contains(protocol)) {
                    client.gzip(protocol);
                } else {
                    client.file(protocol);
                }
            }
            default -> client.file(protocol);
        }
    }

    private void broken(Protocol protocol, Random random) throws Exception {
        int kind = random.nextInt(6);
        if (kind == 0 || protocol == Protocol.HTTP2 && random.nextBoolean()) {
            client.cancel(protocol);
        } else if (kind == 1 || protocol == Protocol.HTTP2) {
            client.cancelUpload(protocol, random.nextInt(30));
        } else {
            switch (kind) {
                case 2 -> client.abandon(protocol, "GET /files/file.bin HTT", random.nextBoolean());
                case 3 -> client.abandon(protocol, Connection.post(1_000_000) + "abc", random.nextBoolean());
                case 4 -> client.abandon(protocol, Connection.postChunked() + "5\r\nab", random.nextBoolean());
                default -> client.vanish(protocol, random.nextBoolean() ? "/files/file.bin" : Reply.STREAM.path());
            }
        }
    }
}
