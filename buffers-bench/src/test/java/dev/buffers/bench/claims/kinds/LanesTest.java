package dev.buffers.bench.claims.kinds;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.buffers.bench.claims.Depth;
import dev.buffers.bench.claims.Experiment;
import dev.buffers.bench.claims.Point;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each lane does its work in every way it knows, and notices when the work is wrong. */
class LanesTest {

    /** One point for each combination of the parameters that are words: a size changes no code. */
    @Test
    void everyWayWorks() throws Exception {
        for (Experiment experiment : new KindsOfBuffer().experiments()) {
            Map<Map<String, String>, Point> ways = new LinkedHashMap<>();
            for (Point point : experiment.points(Depth.ALL)) {
                Map<String, String> words = new LinkedHashMap<>(point.parameters());
                words.values().removeIf(value -> Character.isDigit(value.charAt(0)));
                ways.putIfAbsent(words, point);
            }
            for (Point point : ways.values()) {
                experiment.smoke(point);
            }
        }
    }

    @Test
    void aWrongFillIsNoticed() {
        FillLane lane = new FillLane();
        lane.kind = BufferKind.direct;
        lane.op = FillLane.Op.relativeInt;
        lane.size = 512;
        lane.hold();
        lane.fill().put(100, (byte) 77);
        assertThrows(IllegalStateException.class, lane::check);
    }

    @Test
    void aWrongOrderIsNoticed() {
        OrderLane lane = new OrderLane();
        lane.kind = BufferKind.byteArray;
        lane.way = OrderLane.Way.varHandle;
        lane.order = OrderLane.Order.little;
        lane.size = 512;
        lane.hold();
        lane.fill();
        lane.order = OrderLane.Order.big;
        assertThrows(IllegalStateException.class, lane::check);
    }

    @Test
    void aWrongCopyIsNoticed() {
        CopyLane lane = new CopyLane();
        lane.kind = BufferKind.heapView;
        lane.op = CopyLane.Op.get;
        lane.size = 16;
        lane.hold();
        lane.copy()[3]++;
        assertThrows(IllegalStateException.class, lane::check);
    }

    @Test
    void aWrongRecordIsNoticed() {
        RecordLane lane = new RecordLane();
        lane.kind = BufferKind.heap;
        lane.way = RecordLane.Way.relative;
        lane.op = RecordLane.Op.read;
        lane.hold();
        lane.buffer.put(0, (byte) (lane.buffer.get(0) + 1));
        assertThrows(IllegalStateException.class, lane::records);
        assertThrows(IllegalStateException.class, lane::check);
    }

    @Test
    void whatIsNotWrittenIsMissed() throws IOException {
        for (WriteLane.Sink sink : WriteLane.Sink.values()) {
            byte[] content = Pattern.bytes(1 << 20);
            try (Outlet outlet = sink.open(content)) {
                outlet.stream().write(content, 0, content.length - 1);
                outlet.wrote();
                assertThrows(IOException.class, outlet::finish, sink.name());
            }
        }
    }

    @Test
    void otherBytesThanWrittenAreNoticed() throws IOException {
        for (WriteLane.Sink sink : new WriteLane.Sink[] {WriteLane.Sink.file, WriteLane.Sink.socket}) {
            byte[] content = Pattern.bytes(8192);
            try (Outlet outlet = sink.open(content)) {
                byte[] other = content.clone();
                Arrays.fill(other, (byte) -1);
                outlet.stream().write(other);
                outlet.wrote();
                assertThrows(IOException.class, outlet::finish, sink.name());
            }
        }
    }

    @Test
    void aReadThatSkipsIsNoticed() throws IOException {
        for (ReadLane.Source source : new ReadLane.Source[] {ReadLane.Source.file, ReadLane.Source.socket}) {
            ReadLane lane = new ReadLane();
            lane.via = ReadLane.Via.channelDirect;
            lane.source = source;
            lane.chunk = 8192;
            lane.open();
            lane.read();
            lane.reader.read(1);
            assertThrows(IOException.class, lane::read, source.name());
            lane.close();
        }
    }

    @Test
    void anotherMessageIsNoticed() throws IOException {
        try (Loopback sockets = Loopback.connect(1 << 16, 1 << 16)) {
            Exchange exchange = KeepLane.Strategy.kept.open(sockets, 64);
            exchange.exchange(1);
            assertThrows(IOException.class, () -> exchange.check(ByteBuffer.allocate(64), 2));
        }
    }
}
