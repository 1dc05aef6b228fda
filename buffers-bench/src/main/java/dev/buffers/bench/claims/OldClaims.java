package dev.buffers.bench.claims;

import dev.buffers.bench.duet.Match.Engine;
import dev.buffers.bench.duet.Question;
import dev.buffers.bench.duet.Trial;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.bench.load.HttpLoad;
import dev.buffers.bench.sockets.EchoContestant;
import java.util.List;

/** What was said between 2002 and 2023 of transfers, servers, files and sockets: the rows B to E. */
final class OldClaims {
    private static final Claim.Source TRANSFER = new Claim.Source(
            2022,
            "JDK-8299336, InputStream::DEFAULT_BUFFER_SIZE should be 16384",
            "a cloud VM, a custom build of JDK 21, FileInputStream into ByteArrayOutputStream");
    private static final Claim.Source GRIZZLY = new Claim.Source(
            2007,
            "a web server's four kinds of buffer, 1,000 requests over 600 keep-alive connections, mean of 100 runs",
            "Grizzly on a Java 6 client VM, 5 worker threads, 8,192-byte buffers");
    private static final Claim.Source COPYING = new Claim.Source(
            2002,
            "NIO against buffered streams, copying a file of 37 MB",
            "Windows 2000, JDK 1.2 to 1.4; its chart is lost");
    private static final Claim.Source SOCKETS = new Claim.Source(
            2011,
            "asynchronous against plain NIO sockets, loopback round trips through 4,096-byte direct buffers, best of three",
            "Java 7 update 0");

    private static final String SERVERS_SINCE =
            "The client VM is gone and its successor compiles accesses to direct memory as well as those to arrays; "
                    + "heap buffers go through a cached direct one on their way to a socket, now as then.";
    private static final String SOCKETS_SINCE =
            "On Linux asynchronous channels still are epoll and a pool of threads, not completions of the kernel's; "
                    + "selectors take a lambda and make no garbage since 11; since 21 blocking channels serve virtual threads.";

    private OldClaims() {}

    static List<Claim> rows() {
        return List.of(b1(), b2(), c1(), c2(), c3(), d1(), d2(), d3(), e1(), e2());
    }

    private static Claim b1() {
        return Row.of(
                        "B1",
                        TRANSFER,
                        "a stream is transferred twice as fast through a buffer of 16 KiB as through one of 8 KiB")
                .then("1,350 ± 47 and 2,634 ± 93 ops/s, 1 MiB; 20 % on a laptop of the author's")
                .since(
                        "on the strength of this claim JDK 21 made InputStream's own buffer 16 KiB; up to JDK 20 it is 8 KiB. "
                                + "What exceeds 8,192 bytes the native code of FileInputStream still reads into memory from malloc")
                .jmh("TransferBenchmark.transfer")
                .jvm("-Xms1g", "-Xmx1g")
                .compare("buffer=16384", "buffer=8192")
                .asks(Question.better(1.5))
                .decide("way=loop size=1048576")
                .more("way=loop,loop-channel size=65536,1048576,67108864")
                .end();
    }

    private static Claim b2() {
        return Row.of("B2", TRANSFER, "above 16 KiB it makes no difference to double the buffer of a transfer")
                .then(
                        "16 to 128 KiB: 2,634 ± 93, 2,721 ± 90, 2,856 ± 97, 2,903 ± 41 ops/s (3.3, 5.0 and 1.6 %; said: 1 to 3 %)")
                .jmh("TransferBenchmark.transfer")
                .jvm("-Xms1g", "-Xmx1g")
                .compare("", "")
                .asks(Question.within(1.05))
                .decide(
                        "way=loop size=1048576 base.buffer=16384 buffer=32768",
                        "way=loop size=1048576 base.buffer=32768 buffer=65536",
                        "way=loop size=1048576 base.buffer=65536 buffer=131072")
                .more(
                        "way=loop size=65536,67108864 base.buffer=16384 buffer=32768",
                        "way=loop size=65536,67108864 base.buffer=32768 buffer=65536",
                        "way=loop size=65536,67108864 base.buffer=65536 buffer=131072")
                .jmh("TransferBenchmark.transfer")
                .named("B2 the JDK's own against a loop of 16 KiB")
                .jvm("-Xms1g", "-Xmx1g")
                .compare("way=transferTo,transferTo-channel buffer=own", "way=loop buffer=16384")
                .asks(Question.EITHER)
                .more("size=65536,1048576,67108864")
                .jmh("TransferBenchmark.transfer")
                .named("B2 pooled against a loop")
                .jvm("-Xms1g", "-Xmx1g")
                .compare("way=transfers-heap,transfers-heap-view,transfers-direct,transfers-direct-view", "way=loop")
                .asks(Question.EITHER)
                .more("size=65536,1048576,67108864 buffer=8192,16384,32768,65536,131072")
                .end();
    }

    private static Row servers(Row row, String challengers, String base) {
        return row.since(SERVERS_SINCE)
                .server(Engine.HTTP, "web server on " + base, HttpLoad.STAYING)
                .compare("policy=" + challengers, "policy=" + base);
    }

    /** The cells that all rows of servers have: what decides, the shape of then, and latency. */
    private static Row loads(Row row) {
        return row.decide("connections=64")
                .figures(Trial.WALL)
                .more("connections=64")
                .load(HttpLoad.SHORT_LIVED)
                .figures(Trial.CPU, Trial.WALL)
                .more("connections=600")
                .load(HttpLoad.OPEN)
                .figures("p50", "p99")
                .more("connections=64");
    }

    private static Claim c1() {
        Row row = Row.of("C1", GRIZZLY, "A server on heap buffers is faster than one on direct buffers.")
                .then("heap 2,269, direct 2,241 transactions/s: 1.2 %, too little to count even then");
        return loads(servers(row, "heap", "direct")).end();
    }

    private static Claim c2() {
        Row row = Row.of(
                        "C2",
                        GRIZZLY,
                        "A server on views of one large buffer is faster than one on separate buffers of the same memory.")
                .then(
                        "direct: views 2,304, separate 2,241 transactions/s, 2.8 %; heap: views 2,484, separate 2,269, 9.5 %");
        Row direct = loads(servers(row, "direct-view", "direct"));
        return loads(servers(direct, "heap", "heap-view").asks(Question.better().aboutBase()))
                .end();
    }

    private static Claim c3() {
        Row row = Row.of(
                        "C3",
                        GRIZZLY,
                        "A server on views of one large heap buffer is faster than one on any of the other three kinds.")
                .then("heap views 2,484; direct views 2,304, heap 2,269, direct 2,241 transactions/s");
        Row pooled = loads(servers(row, "direct-view,heap,direct", "heap-view")
                .asks(Question.better().aboutBase()));
        Row others = pooled.server(Engine.HTTP, "web server, other buffers", HttpLoad.STAYING)
                .compare("lane=fresh-heap,fresh-direct,bump-heap,bump-direct", "policy=heap-view")
                .asks(Question.EITHER)
                .more("connections=64")
                .load(HttpLoad.SHORT_LIVED)
                .more("connections=600");
        if (VirtualThreads.obstacle().isEmpty()) {
            others.server(Engine.HTTP, "web server, virtual threads", HttpLoad.STAYING)
                    .compare("virtual=true policy=direct-view", "policy=heap-view")
                    .asks(Question.EITHER)
                    .more("connections=64")
                    .compare("virtual=true lane=fresh-heap", "policy=heap-view")
                    .more("connections=64");
        }
        return others.end();
    }

    private static Claim d1() {
        return Row.of(
                        "D1",
                        COPYING,
                        "to copy a file, channels through one buffer are faster than buffered streams of the same size, moved byte by byte")
                .then("its chart is lost")
                .since(
                        "buffered streams lock their monitor for every byte; biased locking, which made that cheap, is off since 15; "
                                + "their default buffer has grown from 2,048 to 8,192 bytes")
                .jmh("CopyBenchmark.copy")
                .compare("way=direct", "way=bytes")
                .pace(3, 20)
                .decide("buffer=2048")
                .compare("way=heap,direct,heap-view,direct-view", "way=bytes")
                .more("buffer=2048")
                .end();
    }

    private static Claim d2() {
        return Row.of("D2", COPYING, "to copy a file, a channel is the faster the larger its direct buffer is")
                .then("stated; its chart is lost")
                .jmh("CopyBenchmark.copy")
                .compare("", "")
                .pace(8, 50)
                .decide(
                        "way=direct base.buffer=2048 buffer=8192",
                        "way=direct base.buffer=8192 buffer=131072",
                        "way=direct base.buffer=131072 buffer=1048576")
                .more(
                        "way=direct base.buffer=2048 buffer=4096,1048576",
                        "way=direct base.buffer=4096 buffer=8192",
                        "way=direct base.buffer=8192 buffer=16384,32768",
                        "way=direct base.buffer=16384 buffer=32768",
                        "way=direct base.buffer=32768 buffer=65536,131072",
                        "way=direct base.buffer=65536 buffer=131072",
                        "way=direct base.buffer=131072 buffer=262144",
                        "way=direct base.buffer=262144 buffer=524288",
                        "way=direct base.buffer=524288 buffer=1048576")
                .end();
    }

    private static Claim d3() {
        return Row.of("D3", COPYING, "FileChannel.transferTo is the fastest way to copy a file")
                .then("measured, not stated; its chart is lost")
                .since(
                        "Files.copy came with 7; transferTo is sendfile in 17 and tries copy_file_range first in 25, and so does Files.copy")
                .jmh("CopyBenchmark.copy")
                .pace(8, 50)
                .asks(Question.better().aboutBase())
                .compare("way=direct,arrays", "way=transferTo")
                .decide("base.buffer=own buffer=131072")
                .compare("way=Files.copy,Transfers", "way=transferTo")
                .decide("buffer=own")
                .compare("way=arrays,heap,direct,heap-view,direct-view", "way=transferTo")
                .more("base.buffer=own buffer=2048,4096,8192,16384,32768,65536,131072,262144,524288,1048576")
                .compare("way=bytes", "way=transferTo")
                .more("base.buffer=own buffer=2048")
                .end();
    }

    private static Claim e1() {
        return sockets(
                        Row.of(
                                        "E1",
                                        SOCKETS,
                                        "Without extra threads asynchronous sockets are 5 to 10 % faster than plain NIO ones.")
                                .then("asynchronous 186 K/s, 5.4 us at 50 %; NIO 170 K/s, 5.8 us"),
                        "async",
                        "nio")
                .server(Engine.ECHO, "futures against blocking channels", EchoContestant.CLOSED)
                .compare("lane=async-future", "lane=blocking")
                .more("connections=1,100 in-flight=1,32 bytes=64")
                .load(EchoContestant.OPEN)
                .figures("p50")
                .more("connections=1 in-flight=1 bytes=64")
                .server(Engine.ECHO, "others against a selector", EchoContestant.CLOSED)
                .compare(
                        "lane=async-group,blocking" + (VirtualThreads.obstacle().isEmpty() ? ",virtual" : ""),
                        "lane=nio")
                .asks(Question.EITHER)
                .more("connections=1,100 in-flight=1,32 bytes=64,4096")
                .server(Engine.ECHO, "buffers of a selector's channels", EchoContestant.CLOSED)
                .compare("memory=operation,fresh", "memory=channel")
                .asks(Question.EITHER)
                .more("connections=1,100,1000 in-flight=1,32 bytes=64")
                .server(Engine.ECHO, "buffers of asynchronous channels", EchoContestant.CLOSED)
                .compare("lane=async memory=operation,fresh", "lane=async memory=channel")
                .asks(Question.EITHER)
                .more("connections=1,100,1000 in-flight=1,32 bytes=64")
                .end();
    }

    private static Claim e2() {
        return sockets(
                        Row.of(
                                        "E2",
                                        SOCKETS,
                                        "With threads asynchronous sockets lose to plain NIO ones, in latency and in throughput.")
                                .then("NIO 234 K/s, 8.5 us at 50 %; asynchronous 183 K/s, 16.9 us"),
                        "nio-threaded",
                        "async-threaded")
                .end();
    }

    /** What was measured then: one connection and one message in flight, in throughput and in latency; and more of both. */
    private static Row sockets(Row row, String challenger, String base) {
        return row.since(SOCKETS_SINCE)
                .server(Engine.ECHO, challenger + " against " + base, EchoContestant.CLOSED)
                .compare("lane=" + challenger, "lane=" + base)
                .figures(Trial.CPU)
                .decide("connections=1 in-flight=1 bytes=64")
                .figures(Trial.CPU, Trial.WALL)
                .more("connections=1,100,1000 in-flight=1,32 bytes=64,4096")
                .load(EchoContestant.OPEN)
                .figures("p50")
                .decide("connections=1 in-flight=1 bytes=64")
                .figures("p99")
                .more("connections=1 in-flight=1 bytes=64")
                .load(EchoContestant.CLOSED);
    }
}
