package dev.buffers;

import java.lang.reflect.Field;

/** What stands behind a public object, where a test must look at it or bring it into a state that takes years to reach. */
final class Peek {

    private Peek() {}

    static Slot slot(PooledBuffer lease) {
        return (Slot) field(lease, PooledBuffer.class, "slot");
    }

    static Regions regions(BufferPool pool) {
        return (Regions) field(pool, SlabPool.class, "regions");
    }

    static ThreadMagazines magazines(BufferPool pool) {
        return (ThreadMagazines) field(pool, SlabPool.class, "magazines");
    }

    private static Object field(Object of, Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("no such field: " + name, e);
        }
    }
}
