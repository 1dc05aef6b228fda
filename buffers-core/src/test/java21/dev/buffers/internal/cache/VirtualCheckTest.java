// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** The check whether a thread is virtual lets an error through as it is, also one from the linking of its first call. */
class VirtualCheckTest {

    /** Loads the library anew, so that a first call is the first again. */
    private static final class Anew extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.buffers.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            String file = name.replace('.', '/') + ".class";
            try (InputStream in = VirtualCheckTest.class.getClassLoader().getResourceAsStream(file)) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private final Thread thread = Thread.currentThread();

    @Test
    void overflowWithinCheckThrowsStackOverflowError() throws Exception {
        Set<Class<?>> thrown = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            Class<?> magazines = Class.forName(ThreadCaches.class.getName(), true, new Anew());
            Method method = magazines.getDeclaredMethod("isVirtual", Thread.class);
            MethodHandle isVirtual = MethodHandles.privateLookupIn(magazines, MethodHandles.lookup())
                    .unreflect(method);
            int room = 10 * i;
            FutureTask<Boolean> task = new FutureTask<>(
                    () -> {
                        try {
                            down(isVirtual, new int[1], room);
                        } catch (Throwable e) {
                            thrown.add(e.getClass());
                        }
                    },
                    true);
            Thread small = new Thread(null, task, "small", 256 << 10);
            small.start();
            task.get();
            small.join();
        }
        thrown.remove(StackOverflowError.class);
        assertEquals(Set.of(), thrown);
    }

    /** To the end of the stack, and then, so many frames before it, the call. */
    private void down(MethodHandle isVirtual, int[] depth, int room) throws Throwable {
        int mine = ++depth[0];
        try {
            down(isVirtual, depth, room);
        } catch (StackOverflowError e) {
            if (depth[0] - mine < room) {
                throw e;
            }
        }
        boolean virtual = (boolean) isVirtual.invokeExact(thread);
        assertEquals(thread.isVirtual(), virtual);
    }
}
