package dev.buffers;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;

/**
 * What every pool must do, whatever its policy and lease mode; split by topic into the classes that extend this. Every pool that
 * a test opens is checked for conservation as the test ends, and again once it is closed.
 */
abstract class PoolContract {
    static final int MAX_SIZE = 256 << 10;

    @Parameter
    Kind kind;

    private final List<BufferPool> opened = new ArrayList<>();

    BufferPool pool() {
        return pool(kind.builder("contract"));
    }

    BufferPool pool(BufferPool.Builder builder) {
        DirectRoom.make();
        BufferPool pool = builder.build();
        opened.add(pool);
        return pool;
    }

    @AfterEach
    void everyByteIsAccountedFor() {
        for (BufferPool pool : opened) {
            Conservation.check(pool);
            pool.close();
            // At once, but for what the daemon has in its hands just then.
            Eventually.holds("a closed pool keeps no memory: " + pool.name(), () -> {
                PoolStats closed = Conservation.check(pool);
                return closed.reservedBytes() == closed.lostBytes() && closed.cachedBytes() == 0;
            });
        }
    }
}
