package dev.buffers.bench.claims;

import dev.buffers.bench.duet.Question;
import java.nio.ByteOrder;
import java.util.List;

/** What was said in 2009 of {@code byte[]}, heap and direct buffers: the rows A. */
final class KindsOfBuffer {
    private static final Claim.Source KINDS =
            new Claim.Source(2009, "byte[], heap and direct buffers", "Xeon E5540, Java 6 and a beta of Java 7");

    private static final String FILL = "AccessLane.access";
    private static final String WRITE = "WriteLane.write";
    private static final String READ = "ReadLane.read";
    private static final String WRITE_SIZES =
            "size=512,2048,4096,8191,8192,8193,16384,32768,65536,131072,131073,262144,524288,1048576";

    private KindsOfBuffer() {}

    static List<Claim> rows() {
        return List.of(a1(), a2(), a3(), a4(), a5(), a6(), a7(), a8(), a9(), a10(), a11(), a12());
    }

    private static Claim a1() {
        return Row.of(
                        "A1",
                        KINDS,
                        "A byte costs less in a stream write of 8,192 bytes than in one of more: there the native code turns to malloc.")
                .then("a hit beyond 8,192 bytes; no figures are known to us")
                .since(
                        "A socket's stream copies through a cached direct buffer of at most 128 KiB since JDK 13 (JEP 353). A file's "
                                + "stream still has 8,192 bytes on the stack, and takes the whole length from malloc above.")
                .jmh(WRITE)
                .compare("size=8192", "")
                .scaled("size", 8192)
                .decide("via=stream sink=devNull base.size=8193,131072", "via=stream sink=file,socket base.size=131072")
                .more(
                        "via=stream sink=devNull,file,socket base.size=8193,16384,32768,65536,131072,131073,262144,524288,1048576")
                .end();
    }

    private static Claim a2() {
        return Row.of(
                        "A2",
                        KINDS,
                        "Filling a direct buffer with bytes and with ints is faster than filling a heap buffer.")
                .then("direct was faster; no figures are known to us")
                .since(
                        "putInt is one store into either kind, by the same intrinsic; a direct buffer also checks that its memory is "
                                + "alive.")
                .jmh(FILL)
                .compare("kind=direct", "kind=heap")
                .inShapes()
                .decide("op=relativeByte,relativeInt size=65536")
                .more("op=relativeByte,absoluteByte,relativeInt,absoluteInt size=512,2048,8192,16384,65536")
                .end();
    }

    private static Claim a3() {
        return Row.of(
                        "A3",
                        KINDS,
                        "Copying an array is faster into a heap buffer, and out of it, than into or out of a direct one.")
                .then("heap was faster; no figures are known to us")
                .since(
                        "A heap buffer's bulk put is System.arraycopy; a direct one's is a copy of raw memory, and byte by byte up to six "
                                + "bytes.")
                .jmh(FILL)
                .compare("kind=heap", "kind=direct")
                .inShapes()
                .decide("op=put size=16,1024", "op=get size=1024")
                .more("op=put,get size=4,8,16,64,256,1024,4096,16384,65536")
                .end();
    }

    private static Claim a4() {
        return Row.of("A4", KINDS, "Allocating and freeing a direct buffer is dearer than a heap buffer.")
                .then("direct was dearer; no figures are known to us")
                .since(
                        "Still a counter, malloc, zeroing and a Cleaner for each direct buffer; at the limit the JVM calls the collector "
                                + "and waits.")
                .jmh("AllocateLane.cycle")
                .jvm("-Xms512m", "-Xmx512m", "-Xmn64m", "-XX:MaxDirectMemorySize=256m")
                .compare("source=direct,directFreed", "source=heap")
                .asks(Question.better().aboutBase())
                .decide("size=4096")
                .more("size=64,256,1024,4096,16384,65536")
                .jmh("AllocateLane.cycle")
                .named("A4 with a pool")
                .jvm("-Xms512m", "-Xmx512m", "-Xmn64m", "-XX:MaxDirectMemorySize=256m")
                .compare("source=pool:heap,pool:direct,pool:heap-view,pool:direct-view,pool:unpooled", "source=direct")
                .asks(Question.EITHER)
                .more("size=64,256,1024,4096,16384,65536")
                .end();
    }

    private static Claim a5() {
        Row row = Row.of(
                        "A5",
                        KINDS,
                        "Little-endian ints are put into a buffer faster on a little-endian machine; for a byte[] packed by hand it does "
                                + "not matter.")
                .then("little-endian was faster in buffers; no figures are known to us")
                .since(
                        "putInt is one store, for the other order with a reversal of the bytes before it. Since JDK 23 the compiler also "
                                + "makes one store of an int that is packed by hand in the machine's order (JDK-8318446).")
                .unless(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "" : "this machine is not little-endian");
        for (String kind : List.of("heap", "direct", "heapView", "directView", "byteArray")) {
            boolean array = kind.equals("byteArray");
            row.jmh(FILL)
                    .named("A5 " + kind)
                    .compare("order=little", "order=big")
                    .inShapes()
                    .asks(array ? Question.within(1.05) : Question.better());
            String op = "kind=" + kind + " op=" + (array ? "absoluteInt" : "relativeInt");
            row = kind.endsWith("View") ? row : row.decide(op + " size=8192");
            row.more(op + (array ? "" : ",absoluteInt") + ",varHandle size=512,8192,65536");
        }
        return row.end();
    }

    private static Claim a6() {
        return Row.of("A6", KINDS, "A byte[] is faster to fill than any ByteBuffer.")
                .then("byte[] was fastest; no figures are known to us")
                .since(
                        "putInt is one store, by an intrinsic. Since JDK 23 the compiler also makes one store of an int that is packed by "
                                + "hand in the machine's order (JDK-8318446); here the order is the other one, every buffer's default.")
                .jmh(FILL)
                .compare("kind=heap,direct", "kind=byteArray")
                .inShapes()
                .asks(Question.better().aboutBase())
                .decide("op=relativeInt size=65536")
                .compare("kind=heap,direct,heapView,directView", "kind=byteArray")
                .more("op=relativeByte,absoluteByte,relativeInt,absoluteInt size=512,2048,8192,16384,65536")
                .end();
    }

    private static Claim a7() {
        return Row.of(
                        "A7",
                        KINDS,
                        "From 2,048 bytes on, copying a filled byte[] into a direct buffer and writing that beats writing the byte[] to a "
                                + "stream; at 512 bytes the stream wins.")
                .then("as stated, at 512 bytes slightly; no figures are known to us")
                .since(
                        "A socket's stream does the same since JDK 13: it copies into a direct buffer that its thread keeps.")
                .jmh(WRITE)
                .compare("via=staged", "via=stream")
                .decide("sink=file,socket size=2048", "sink=devNull size=131072")
                .more("sink=devNull,file,socket size=2048,8192,32768,131072,1048576")
                .asks(Question.better().aboutBase())
                .decide("sink=file size=512")
                .more("sink=devNull,socket size=512")
                .jmh(WRITE)
                .named("A7 the pool's own stream")
                .compare("via=pooledStream", "via=stream")
                .asks(Question.EITHER)
                .more("sink=devNull,file,socket size=2048,8192,131072,1048576")
                .end();
    }

    private static Claim a8() {
        String all = "size=64,256,1024,4096,16384,65536";
        return Row.of(
                        "A8",
                        KINDS,
                        "One direct buffer that is kept for all I/O of a channel beats a buffer for each I/O.")
                .jmh("KeepLane.exchange")
                .compare("strategy=kept,channelBuffers", "strategy=allocateDirect")
                .decide("size=1024")
                .more(all)
                .jmh("KeepLane.exchange")
                .named("A8 against a lease for each")
                .compare("strategy=channelBuffers", "strategy=acquire")
                .decide("size=1024")
                .more(all)
                .jmh("KeepLane.exchange")
                .named("A8 against a heap buffer for each")
                .compare("strategy=kept,channelBuffers", "strategy=allocateHeap")
                .asks(Question.EITHER)
                .more(all)
                .end();
    }

    private static Claim a9() {
        return Row.of(
                        "A9",
                        KINDS,
                        "Writing a ByteBuffer to a channel beats writing a byte[] to a stream, most of all for large writes.")
                .then("buffers won; no figures are known to us")
                .since(
                        "A heap buffer is copied into a direct one that the thread keeps before it is written, as a socket's stream does "
                                + "since JDK 13.")
                .jmh(WRITE)
                .compare("via=channelDirect", "via=stream")
                .decide("sink=file size=512,1048576", "sink=socket size=1048576")
                .compare("via=channelDirect,channelHeap,channelHeapView,channelDirectView", "via=stream")
                .more("sink=devNull,file,socket " + WRITE_SIZES)
                .end();
    }

    private static Claim a10() {
        return Row.of(
                        "A10",
                        KINDS,
                        "Data is written and read faster through a byte[] packed by hand than element by element through a ByteBuffer.")
                .then("access to single elements of a buffer was slow; no figures are known to us")
                .since(
                        "putInt and its like are one load or store each, by intrinsics, whatever the order; VarHandle views of arrays and "
                                + "of buffers came with JDK 9.")
                .jmh("RecordLane.records")
                .compare("kind=heap,direct", "kind=byteArray")
                .inShapes()
                .asks(Question.better().aboutBase())
                .decide("by=plain op=write,read")
                .compare("kind=heap,direct,heapView,directView", "kind=byteArray")
                .more("by=plain,varHandle op=write,read", "op=write,read base.by=plain by=varHandle")
                .end();
    }

    private static Claim a11() {
        return Row.of("A11", KINDS, "A FileOutputStream built over a FileChannel would beat the native one.")
                .since(
                        "The native one is as it was: a stack buffer of 8,192 bytes, above it malloc. Channels.newOutputStream copies "
                                + "through a direct buffer that its thread keeps.")
                .jmh(WRITE)
                .compare("via=channelStream", "via=stream")
                .decide("sink=file size=8192,1048576")
                .more("sink=devNull,file " + WRITE_SIZES)
                .end();
    }

    private static Claim a12() {
        String sizes = "size=131072,1048576";
        return Row.of("A12", KINDS, "Reading and writing in chunks of 8,192 bytes beats larger chunks.")
                .then("advice, from the hit beyond 8,192 bytes")
                .since(
                        "InputStream.transferTo moves 16,384 bytes at a time since JDK 21 (JDK-8299336): claims B say that more is "
                                + "better.")
                .jmh(WRITE)
                .compare("size=8192", "")
                .scaled("size", 8192)
                .decide("sink=file via=stream base.size=131072", "sink=socket via=channelDirect base.size=131072")
                .more("sink=devNull,file,socket via=stream,channelDirect base." + sizes)
                .jmh(READ)
                .compare("chunk=8192", "")
                .decide("source=file via=stream base.chunk=131072", "source=socket via=channelDirect base.chunk=131072")
                .more(
                        "source=devZero,file,socket via=stream,channelHeap,channelDirect,channelHeapView,channelDirectView"
                                + " base.chunk=16384,32768,65536,131072,262144,524288,1048576")
                .end();
    }
}
