// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.claims;

import java.util.List;

/** Statements of 2009 about {@code byte[]}, heap and direct buffers: the claims A, as {@link ClaimText} reads them. */
final class KindsOfBuffer {
    private static final Claim.Source KINDS =
            new Claim.Source(2009, "byte[], heap and direct buffers", "Xeon E5540, Java 6 and a beta of Java 7");

    private static final String ROWS = """
            A1: A byte costs less in a stream write of 8,192 bytes than in one of more: there the native code turns to malloc.
            then: a hit beyond 8,192 bytes; no figures are known to us
            since: A socket's stream copies through a cached direct buffer of at most 128 KiB since JDK 13 (JEP 353). \
            A file's stream still has 8,192 bytes on the stack, and takes the whole length from malloc above.
            jmh: WriteBenchmark.write: size=8192 against -
            scaled: size 8192
            decide: via=stream sink=devNull base.size=8193,131072; via=stream sink=file,socket base.size=131072
            more: via=stream sink=devNull,file,socket base.size=8193,16384,32768,65536,131072,131073,262144,524288,1048576

            A2: Filling a direct buffer with bytes and with ints is faster than filling a heap buffer.
            then: direct was faster; no figures are known to us
            since: putInt is one store into either kind, by the same intrinsic; a direct buffer also checks that its memory \
            is alive.
            jmh: AccessBenchmark.access: kind=direct against kind=heap
            shapes: inlined called
            decide: op=relativeByte,relativeInt size=65536
            more: op=relativeByte,absoluteByte,relativeInt,absoluteInt size=512,2048,8192,16384,65536

            A3: Copying an array is faster into a heap buffer, and out of it, than into or out of a direct one.
            then: heap was faster; no figures are known to us
            since: A heap buffer's bulk put is System.arraycopy; a direct one's is a copy of raw memory, \
            and byte by byte up to six bytes.
            jmh: AccessBenchmark.access: kind=heap against kind=direct
            shapes: inlined called
            decide: op=put size=16,1024; op=get size=1024
            more: op=put,get size=4,8,16,64,256,1024,4096,16384,65536

            A4: Allocating and freeing a direct buffer is dearer than a heap buffer.
            then: direct was dearer; no figures are known to us
            since: Still a counter, malloc, zeroing and a Cleaner for each direct buffer; at the limit the JVM calls the \
            collector and waits.
            jmh: AllocateBenchmark.cycle: source=direct,directFreed against source=heap
            jvm: -Xms512m -Xmx512m -Xmn64m -XX:MaxDirectMemorySize=256m
            asks: base better
            decide: size=4096
            more: size=64,256,1024,4096,16384,65536
            jmh: AllocateBenchmark.cycle as A4 with a pool: \
            source=pool:heap,pool:direct,pool:heap-view,pool:direct-view,pool:unpooled against source=direct
            asks: either
            more: size=64,256,1024,4096,16384,65536

            A5: Little-endian ints are put into a buffer faster on a little-endian machine; for a byte[] packed by hand it \
            does not matter.
            then: little-endian was faster in buffers; no figures are known to us
            since: putInt is one store, for the other order with a reversal of the bytes before it. Since JDK 23 the \
            compiler also makes one store of an int that is packed by hand in the machine's order (JDK-8318446).
            needs: a little-endian machine
            jmh: AccessBenchmark.access as A5 heap: order=little against order=big
            shapes: inlined called
            decide: kind=heap op=relativeInt size=8192
            more: kind=heap op=relativeInt,absoluteInt,varHandle size=512,8192,65536
            jmh: AccessBenchmark.access as A5 direct: order=little against order=big
            decide: kind=direct op=relativeInt size=8192
            more: kind=direct op=relativeInt,absoluteInt,varHandle size=512,8192,65536
            jmh: AccessBenchmark.access as A5 heapView: order=little against order=big
            more: kind=heapView op=relativeInt,absoluteInt,varHandle size=512,8192,65536
            jmh: AccessBenchmark.access as A5 directView: order=little against order=big
            more: kind=directView op=relativeInt,absoluteInt,varHandle size=512,8192,65536
            jmh: AccessBenchmark.access as A5 byteArray: order=little against order=big
            asks: within 1.05
            decide: kind=byteArray op=absoluteInt size=8192
            more: kind=byteArray op=absoluteInt,varHandle size=512,8192,65536

            A6: A byte[] is faster to fill than any ByteBuffer.
            then: byte[] was fastest; no figures are known to us
            since: putInt is one store, by an intrinsic. Since JDK 23 the compiler also makes one store of an int that is \
            packed by hand in the machine's order (JDK-8318446); here the order is the other one, every buffer's default.
            jmh: AccessBenchmark.access: kind=heap,direct against kind=byteArray
            shapes: inlined called
            asks: base better
            decide: op=relativeInt size=65536
            compare: kind=heap,direct,heapView,directView against kind=byteArray
            more: op=relativeByte,absoluteByte,relativeInt,absoluteInt size=512,2048,8192,16384,65536

            A7: From 2,048 bytes on, copying a filled byte[] into a direct buffer and writing that beats writing the byte[] \
            to a stream; at 512 bytes the stream wins.
            then: as stated, at 512 bytes slightly; no figures are known to us
            since: A socket's stream does the same since JDK 13: it copies into a direct buffer that its thread keeps.
            jmh: WriteBenchmark.write: via=staged against via=stream
            decide: sink=file,socket size=2048; sink=devNull size=131072
            more: sink=devNull,file,socket size=2048,8192,32768,131072,1048576
            asks: base better
            decide: sink=file size=512
            more: sink=devNull,socket size=512
            jmh: WriteBenchmark.write as A7 the pool's own stream: via=pooledStream against via=stream
            asks: either
            more: sink=devNull,file,socket size=2048,8192,131072,1048576

            A8: One direct buffer that is kept for all I/O of a channel beats a buffer for each I/O.
            jmh: KeepBenchmark.exchange: strategy=kept,channelBuffers against strategy=allocateDirect
            decide: size=1024
            more: size=64,256,1024,4096,16384,65536
            jmh: KeepBenchmark.exchange as A8 against a lease for each: strategy=channelBuffers against strategy=acquire
            decide: size=1024
            more: size=64,256,1024,4096,16384,65536
            jmh: KeepBenchmark.exchange as A8 against a heap buffer for each: strategy=kept,channelBuffers against strategy=allocateHeap
            asks: either
            more: size=64,256,1024,4096,16384,65536

            A9: Writing a ByteBuffer to a channel beats writing a byte[] to a stream, most of all for large writes.
            then: buffers won; no figures are known to us
            since: A heap buffer is copied into a direct one that the thread keeps before it is written, as a socket's \
            stream does since JDK 13.
            jmh: WriteBenchmark.write: via=channelDirect against via=stream
            decide: sink=file size=512,1048576; sink=socket size=1048576
            compare: via=channelDirect,channelHeap,channelHeapView,channelDirectView against via=stream
            more: sink=devNull,file,socket $WRITE_SIZES

            A10: Data is written and read faster through a byte[] packed by hand than element by element through a ByteBuffer.
            then: access to single elements of a buffer was slow; no figures are known to us
            since: putInt and its like are one load or store each, by intrinsics, whatever the order; VarHandle views of \
            arrays and of buffers came with JDK 9.
            jmh: RecordBenchmark.records: kind=heap,direct against kind=byteArray
            shapes: inlined called
            asks: base better
            decide: by=plain op=write,read
            compare: kind=heap,direct,heapView,directView against kind=byteArray
            more: by=plain,varHandle op=write,read; op=write,read base.by=plain by=varHandle

            A11: A FileOutputStream built over a FileChannel would beat the native one.
            since: The native one is as it was: a stack buffer of 8,192 bytes, above it malloc. Channels.newOutputStream \
            copies through a direct buffer that its thread keeps.
            jmh: WriteBenchmark.write: via=channelStream against via=stream
            decide: sink=file size=8192,1048576
            more: sink=devNull,file $WRITE_SIZES

            A12: Reading and writing in chunks of 8,192 bytes beats larger chunks.
            then: advice, from the hit beyond 8,192 bytes
            since: InputStream.transferTo moves 16,384 bytes at a time since JDK 21 (JDK-8299336): claims B say that more \
            is better.
            jmh: WriteBenchmark.write: size=8192 against -
            scaled: size 8192
            decide: sink=file via=stream base.size=131072; sink=socket via=channelDirect base.size=131072
            more: sink=devNull,file,socket via=stream,channelDirect base.size=131072,1048576
            jmh: ReadBenchmark.read: chunk=8192 against -
            decide: source=file via=stream base.chunk=131072; source=socket via=channelDirect base.chunk=131072
            more: source=devZero,file,socket via=stream,channelHeap,channelDirect,channelHeapView,channelDirectView \
            base.chunk=16384,32768,65536,131072,262144,524288,1048576
            """.replace(
            "$WRITE_SIZES", "size=512,2048,4096,8191,8192,8193,16384,32768,65536,131072,131073,262144,524288,1048576");

    private KindsOfBuffer() {}

    static List<Claim> claims() {
        return ClaimText.read(KINDS, ROWS);
    }
}
