// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassReader;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassWriter;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.MethodVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Opcodes;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How many monitors of the library the slow ways of an acquire enter, counted in its byte code. */
class MonitorCountTest {
    private static final int MOST_IN_GROWTH = 5;
    private static final int MOST_BEFORE_WAIT = 7;

    /** Called by the changed byte code, in the thread that enters a monitor. */
    public static final class Entries {
        private static final ThreadLocal<List<String>> OF_THREAD = new ThreadLocal<>();

        private Entries() {}

        /** Notes an entry, if the current thread counts. */
        public static void note(String method) {
            List<String> entries = OF_THREAD.get();
            if (entries != null) {
                entries.add(method);
            }
        }

        /** The entries of the current thread while it runs {@code action}. */
        public static List<String> of(Runnable action) {
            List<String> entries = new ArrayList<>();
            OF_THREAD.set(entries);
            try {
                action.run();
            } finally {
                OF_THREAD.remove();
            }
            return entries;
        }
    }

    /** Loads the library once more, with a call of {@link Entries#note} before each entry of a monitor. */
    private static final class Counting extends ClassLoader {
        Counting() {
            super(MonitorCountTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.buffers.") || name.equals(Entries.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                ClassWriter changed = new ClassWriter(ClassWriter.COMPUTE_MAXS);
                new ClassReader(in).accept(new Changing(changed), 0);
                byte[] code = changed.toByteArray();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static final class Changing extends ClassVisitor {
        private String its = "";

        Changing(ClassVisitor to) {
            super(Opcodes.ASM9, to);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            its = name.substring(name.lastIndexOf('/') + 1);
            super.visit(version, access, name, signature, parent, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] thrown) {
            String method = its + "." + name;
            return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, type, signature, thrown)) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                        note();
                    }
                }

                @Override
                public void visitInsn(int opcode) {
                    if (opcode == Opcodes.MONITORENTER) {
                        note();
                    }
                    super.visitInsn(opcode);
                }

                private void note() {
                    String entries = Entries.class.getName().replace('.', '/');
                    super.visitLdcInsn(method);
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, entries, "note", "(Ljava/lang/String;)V", false);
                }
            };
        }
    }

    /** A thread's first acquire of a class, for which a region is allocated. */
    static final class Growth implements Supplier<List<String>> {
        @Override
        public List<String> get() {
            try (BufferPool pool = BufferPool.builder("monitors-growth")
                    .policy("heap-view")
                    .max(32 << 20)
                    .build()) {
                pool.acquire(100).release();
                PooledBuffer[] lease = new PooledBuffer[1];
                List<String> entries = Entries.of(() -> lease[0] = pool.acquire(4096));
                lease[0].release();
                return entries;
            }
        }
    }

    /** An acquire at the cap, until it waits or its patience has ended. */
    static final class Wait implements Supplier<List<String>> {
        @Override
        public List<String> get() {
            try (BufferPool pool = BufferPool.builder("monitors-wait")
                    .policy("heap-view")
                    .max(1 << 20)
                    .build()) {
                List<PooledBuffer> leases = new ArrayList<>();
                for (PooledBuffer lease = pool.tryAcquire(64 << 10); lease != null; ) {
                    leases.add(lease);
                    lease = pool.tryAcquire(64 << 10);
                }
                List<String> entries = Entries.of(() -> {
                    try {
                        pool.acquire(64 << 10, Duration.ofMillis(20)).release();
                        throw new AssertionError("the pool has room");
                    } catch (PoolExhaustedException expected) {
                        leases.forEach(PooledBuffer::release);
                    }
                });
                return entries.subList(0, entries.lastIndexOf("WaitQueue.add") + 1);
            }
        }
    }

    @Test
    void growthEntersFewMonitors() throws Exception {
        assertFew(MOST_IN_GROWTH, entries(Growth.class));
    }

    @Test
    void waiterEntersFewMonitors() throws Exception {
        assertFew(MOST_BEFORE_WAIT, entries(Wait.class));
    }

    private static void assertFew(int most, List<String> entries) {
        assertTrue(!entries.isEmpty() && entries.size() <= most, () -> entries.size() + " entries: " + entries);
    }

    @SuppressWarnings("unchecked")
    private static List<String> entries(Class<? extends Supplier<List<String>>> way) throws Exception {
        Class<?> counted = Class.forName(way.getName(), true, new Counting());
        var constructor = counted.getDeclaredConstructor();
        constructor.setAccessible(true);
        return (List<String>) Objects.requireNonNull(((Supplier<?>) constructor.newInstance()).get());
    }
}
