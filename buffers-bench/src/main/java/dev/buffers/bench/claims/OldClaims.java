// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.claims;

import dev.buffers.bench.jvm.VirtualThreads;
import java.util.ArrayList;
import java.util.List;

/** Statements of 2002 to 2023 about transfers, servers, files and sockets: the claims B to E, as {@link ClaimText} reads them. */
final class OldClaims {
    private static final Claim.Source TRANSFER = new Claim.Source(
            2022,
            "JDK-8299336, InputStream::DEFAULT_BUFFER_SIZE should be 16384",
            "a cloud VM, a custom build of JDK 21, FileInputStream into ByteArrayOutputStream");

    private static final String TRANSFERS = """
            B1: a stream is transferred twice as fast through a buffer of 16 KiB as through one of 8 KiB
            then: 1,350 ± 47 and 2,634 ± 93 ops/s, 1 MiB; 20 % on a laptop of the author's
            since: on the strength of this claim JDK 21 made InputStream's own buffer 16 KiB; up to JDK 20 it is 8 KiB. \
            What exceeds 8,192 bytes the native code of FileInputStream still reads into memory from malloc
            jmh: TransferBenchmark.transfer: buffer=16384 against buffer=8192
            jvm: -Xms1g -Xmx1g
            asks: better 1.5
            decide: way=loop size=1048576
            more: way=loop,loop-channel size=65536,1048576,67108864

            B2: above 16 KiB it makes no difference to double the buffer of a transfer
            then: 16 to 128 KiB: 2,634 ± 93, 2,721 ± 90, 2,856 ± 97, 2,903 ± 41 ops/s (3.3, 5.0 and 1.6 %; said: 1 to 3 %)
            jmh: TransferBenchmark.transfer: - against -
            jvm: -Xms1g -Xmx1g
            asks: within 1.05
            decide: way=loop size=1048576 base.buffer=16384 buffer=32768
            decide: way=loop size=1048576 base.buffer=32768 buffer=65536
            decide: way=loop size=1048576 base.buffer=65536 buffer=131072
            more: way=loop size=65536,67108864 base.buffer=16384 buffer=32768
            more: way=loop size=65536,67108864 base.buffer=32768 buffer=65536
            more: way=loop size=65536,67108864 base.buffer=65536 buffer=131072
            jmh: TransferBenchmark.transfer as B2 the JDK's own against a loop of 16 KiB: \
            way=transferTo,transferTo-channel buffer=own against way=loop buffer=16384
            asks: either
            more: size=65536,1048576,67108864
            jmh: TransferBenchmark.transfer as B2 pooled against a loop: \
            way=transfers-heap,transfers-heap-view,transfers-direct,transfers-direct-view against way=loop
            more: size=65536,1048576,67108864 buffer=8192,16384,32768,65536,131072
            """;

    private static final Claim.Source GRIZZLY = new Claim.Source(
            2007,
            "a web server's four kinds of buffer, 1,000 requests over 600 keep-alive connections, mean of 100 runs",
            "Grizzly on a Java 6 client VM, 5 worker threads, 8,192-byte buffers");

    /** The cells that all claims of servers have: what decides, the shape of then, and latency. */
    private static final String LOADS = """
            figures: cpu
            decide: connections=64
            figures: wall
            more: connections=64
            load: short-lived
            figures: cpu wall
            more: connections=600
            load: open
            figures: p50 p99
            more: connections=64
            """;

    private static final String SERVERS = """
            C1: A server on heap buffers is faster than one on direct buffers.
            then: heap 2,269, direct 2,241 transactions/s: 1.2 %, too little to count even then
            since: $SINCE
            http: staying as web server on direct: policy=heap against policy=direct
            $LOADS

            C2: A server on views of one large buffer is faster than one on separate buffers of the same memory.
            then: direct: views 2,304, separate 2,241 transactions/s, 2.8 %; heap: views 2,484, separate 2,269, 9.5 %
            since: $SINCE
            http: staying as web server on direct: policy=direct-view against policy=direct
            $LOADS
            http: staying as web server on heap-view: policy=heap against policy=heap-view
            asks: base better
            $LOADS

            C3: A server on views of one large heap buffer is faster than one on any of the other three kinds.
            then: heap views 2,484; direct views 2,304, heap 2,269, direct 2,241 transactions/s
            since: $SINCE
            http: staying as web server on heap-view: policy=direct-view,heap,direct against policy=heap-view
            asks: base better
            $LOADS
            http: staying as web server, other buffers: \
            source=fresh-heap,fresh-direct,bump-heap,bump-direct against policy=heap-view
            figures: cpu
            asks: either
            more: connections=64
            load: short-lived
            more: connections=600
            http: staying as web server, virtual threads: virtual=true policy=direct-view against policy=heap-view
            needs: virtual threads
            more: connections=64
            compare: virtual=true source=fresh-heap against policy=heap-view
            more: connections=64
            """.replace(
                    "$SINCE",
                    "The client VM is gone and its successor compiles accesses to direct memory as well as those to arrays; "
                            + "heap buffers go through a cached direct one on their way to a socket, now as then.")
            .replace("$LOADS\n", LOADS);

    private static final Claim.Source COPYING = new Claim.Source(
            2002,
            "NIO against buffered streams, copying a file of 37 MB",
            "Windows 2000, JDK 1.2 to 1.4; its chart is lost");

    private static final String COPIES = """
            D1: to copy a file, channels through one buffer are faster than buffered streams of the same size, moved byte by byte
            then: its chart is lost
            since: buffered streams lock their monitor for every byte; biased locking, which made that cheap, is off since \
            15; their default buffer has grown from 2,048 to 8,192 bytes
            jmh: CopyBenchmark.copy: way=direct against way=bytes
            turns: 3 x 20
            decide: buffer=2048
            compare: way=heap,direct,heap-view,direct-view against way=bytes
            more: buffer=2048

            D2: to copy a file, a channel is the faster the larger its direct buffer is
            then: stated; its chart is lost
            jmh: CopyBenchmark.copy: - against -
            turns: 8 x 50
            decide: way=direct base.buffer=2048 buffer=8192; way=direct base.buffer=8192 buffer=131072
            decide: way=direct base.buffer=131072 buffer=1048576
            more: way=direct base.buffer=2048 buffer=4096,1048576; way=direct base.buffer=4096 buffer=8192
            more: way=direct base.buffer=8192 buffer=16384,32768; way=direct base.buffer=16384 buffer=32768
            more: way=direct base.buffer=32768 buffer=65536,131072; way=direct base.buffer=65536 buffer=131072
            more: way=direct base.buffer=131072 buffer=262144; way=direct base.buffer=262144 buffer=524288
            more: way=direct base.buffer=524288 buffer=1048576

            D3: FileChannel.transferTo is the fastest way to copy a file
            then: measured, not stated; its chart is lost
            since: Files.copy came with 7; transferTo is sendfile in 17 and tries copy_file_range first in 25, and so does \
            Files.copy
            jmh: CopyBenchmark.copy: way=direct,arrays against way=transferTo
            turns: 8 x 50
            asks: base better
            decide: base.buffer=own buffer=131072
            compare: way=Files.copy,Transfers against way=transferTo
            decide: buffer=own
            compare: way=arrays,heap,direct,heap-view,direct-view against way=transferTo
            more: base.buffer=own buffer=2048,4096,8192,16384,32768,65536,131072,262144,524288,1048576
            compare: way=bytes against way=transferTo
            more: base.buffer=own buffer=2048
            """;

    private static final Claim.Source SOCKETS = new Claim.Source(
            2011,
            "asynchronous against plain NIO sockets, loopback round trips through 4,096-byte direct buffers, best of three",
            "Java 7 update 0");

    /** The measurement of that time: one connection and one message in flight, in throughput and in latency; and more of both. */
    private static final String TRIPS = """
            decide: connections=1 in-flight=1 bytes=64
            figures: cpu wall
            more: connections=1,100,1000 in-flight=1,32 bytes=64,4096
            load: open
            figures: p50
            decide: connections=1 in-flight=1 bytes=64
            figures: p99
            more: connections=1 in-flight=1 bytes=64
            """;

    private static final String ECHOES = """
            E1: Without extra threads asynchronous sockets are 5 to 10 % faster than plain NIO ones.
            then: asynchronous 186 K/s, 5.4 us at 50 %; NIO 170 K/s, 5.8 us
            since: $SINCE
            echo: closed as async against nio: server=async against server=nio
            $TRIPS
            echo: closed as futures against blocking channels: server=async-future against server=blocking
            figures: cpu
            more: connections=1,100 in-flight=1,32 bytes=64
            load: open
            figures: p50
            more: connections=1 in-flight=1 bytes=64
            echo: closed as others against a selector: server=async-group,blocking$VIRTUAL against server=nio
            figures: cpu
            asks: either
            more: connections=1,100 in-flight=1,32 bytes=64,4096
            echo: closed as buffers of a selector's channels: memory=operation,fresh against memory=channel
            more: connections=1,100,1000 in-flight=1,32 bytes=64
            echo: closed as buffers of asynchronous channels: \
            server=async memory=operation,fresh against server=async memory=channel
            more: connections=1,100,1000 in-flight=1,32 bytes=64

            E2: With threads asynchronous sockets lose to plain NIO ones, in latency and in throughput.
            then: NIO 234 K/s, 8.5 us at 50 %; asynchronous 183 K/s, 16.9 us
            since: $SINCE
            echo: closed as nio-threaded against async-threaded: server=nio-threaded against server=async-threaded
            $TRIPS
            """.replace(
                    "$SINCE",
                    "On Linux asynchronous channels still are epoll and a pool of threads, not completions of the kernel's; "
                            + "selectors take a lambda and make no garbage since 11; since 21 blocking channels serve virtual threads.")
            .replace("$TRIPS\n", TRIPS)
            .replace("$VIRTUAL", VirtualThreads.obstacle().isEmpty() ? ",virtual" : "");

    private OldClaims() {}

    static List<Claim> claims() {
        List<Claim> claims = new ArrayList<>(ClaimText.read(TRANSFER, TRANSFERS));
        claims.addAll(ClaimText.read(GRIZZLY, SERVERS));
        claims.addAll(ClaimText.read(COPYING, COPIES));
        claims.addAll(ClaimText.read(SOCKETS, ECHOES));
        return claims;
    }
}
