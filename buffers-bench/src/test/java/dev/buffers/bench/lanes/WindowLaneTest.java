package dev.buffers.bench.lanes;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** A lane notices a pool that gives the same memory to two at once. */
class WindowLaneTest {
    @Test
    void sharedMemoryIsNoticed() {
        Lane lane = new Lane();
        lane.source = new SameForAll();
        WindowLane window = new WindowLane();
        window.fill(lane);
        window.window(lane);
        assertThrows(IllegalStateException.class, () -> window.drain(lane));
    }
}
