// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Jvm;
import dev.buffers.support.Kind;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import org.junit.jupiter.api.Test;

/** Nothing here touches memory through {@code sun.misc.Unsafe}: where the JVM can forbid that, these tests run with it forbidden. */
class UnsafeDeniedTest {

    @Test
    void testsRunWithUnsafeDeniedFromJava24() throws Exception {
        assertEquals(Runtime.version().feature() >= 24, isDenied());
    }

    private static boolean isDenied() throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field only = type.getDeclaredField("theUnsafe");
        only.setAccessible(true);
        try {
            long address = (long) type.getMethod("allocateMemory", long.class).invoke(only.get(null), 8L);
            type.getMethod("freeMemory", long.class).invoke(only.get(null), address);
            return false;
        } catch (InvocationTargetException e) {
            assertEquals(UnsupportedOperationException.class, e.getCause().getClass());
            return true;
        }
    }

    /** All that a user may set, in a JVM whose warnings would show. */
    static final class EveryPool {
        public static void main(String[] args) {
            Kind.all().forEach(kind -> {
                for (boolean guard : new boolean[] {false, true}) {
                    BufferPool.Builder builder =
                            kind.builder("quiet").guard(guard).zero(PoolSettings.Zeroing.RELEASE);
                    use(builder);
                    if (kind.isDirect()) {
                        use(builder.free(PoolSettings.Freeing.PROMPT));
                    }
                }
            });
            System.out.println("done");
        }

        private static void use(BufferPool.Builder builder) {
            try (BufferPool pool = builder.build();
                    ChannelBuffers channel = pool.channel()) {
                channel.input().putInt(1);
                channel.handOffInput().release();
                pool.acquire(1000).discard();
                pool.acquire(1 << 20).release();
                Thread.startVirtualThread(() -> pool.acquire(100).release()).join();
                pool.trim();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void forbiddenUnsafeCausesNoWarning() throws Exception {
        String deny = "--sun-misc-unsafe-memory-access=deny";
        assertEquals("done\n", Jvm.run(EveryPool.class, "-XX:+IgnoreUnrecognizedVMOptions", deny));
    }
}
