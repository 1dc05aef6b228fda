// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassReader;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.ClassWriter;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.MethodVisitor;
import com.tngtech.archunit.thirdparty.org.objectweb.asm.Opcodes;
import dev.buffers.BufferPool;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Loads the library once more, with its byte code changed so that it notes in {@link Steps} what a thread does in it. With
 * {@code -Dtest.counted=FOLDER} the classes of the library come from there, such as those of an older commit.
 */
public final class CountedCode extends ClassLoader {
    private static final @Nullable String OTHER = System.getProperty("test.counted");
    private static final String LIBRARY = OTHER != null
            ? Path.of(OTHER).toUri().toString()
            : BufferPool.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toString();

    private CountedCode() {
        super(CountedCode.class.getClassLoader());
    }

    /** What this gives, in the changed library: the class must name only the library, its own outer class and {@link Steps}. */
    @SuppressWarnings("unchecked")
    public static <T> T get(Class<? extends Supplier<T>> of) throws Exception {
        Class<?> changed = Class.forName(of.getName(), true, new CountedCode());
        Constructor<?> constructor = changed.getDeclaredConstructor();
        constructor.setAccessible(true);
        return ((Supplier<T>) constructor.newInstance()).get();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("dev.buffers.") || name.startsWith(CountedCode.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream ofLibrary = ofLibrary(file);
                InputStream ofTest = ofLibrary == null ? getResourceAsStream(file) : null) {
            byte[] code;
            if (ofLibrary != null) {
                ClassWriter changed = new ClassWriter(ClassWriter.COMPUTE_MAXS);
                new ClassReader(ofLibrary).accept(new Noting(changed), 0);
                code = changed.toByteArray();
            } else if (ofTest != null) {
                code = ofTest.readAllBytes();
            } else {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** A class of the library, from the class path unless a folder is named: a seeded fault stands before the library there. */
    private @Nullable InputStream ofLibrary(String file) throws IOException {
        Path path = Path.of(URI.create(LIBRARY + file));
        if (!Files.exists(path)) {
            return null;
        }
        return OTHER != null ? Files.newInputStream(path) : getResourceAsStream(file);
    }

    /** Adds the calls of {@link Steps}. */
    private static final class Noting extends ClassVisitor {
        private String type = "";

        Noting(ClassVisitor to) {
            super(Opcodes.ASM9, to);
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            type = name.substring(name.lastIndexOf('/') + 1);
            super.visit(version, access, name, signature, parent, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String its, String signature, String[] thrown) {
            return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, its, signature, thrown)) {
                @Override
                public void visitCode() {
                    super.visitCode();
                    note("begin");
                    if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                        note("enter");
                    }
                }

                @Override
                public void visitInsn(int opcode) {
                    if (opcode == Opcodes.MONITORENTER) {
                        note("enter");
                    } else if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                        note("end");
                    }
                    super.visitInsn(opcode);
                }

                private void note(String step) {
                    super.visitLdcInsn(type + "." + name);
                    super.visitMethodInsn(
                            Opcodes.INVOKESTATIC,
                            Steps.class.getName().replace('.', '/'),
                            step,
                            "(Ljava/lang/String;)V",
                            false);
                }
            };
        }
    }

    /** What one thread does in the library while it runs an action. */
    public static final class Steps {
        private static final ThreadLocal<Steps> OF_THREAD = new ThreadLocal<>();

        private final List<String> begun = new ArrayList<>();
        private final List<String> monitors = new ArrayList<>();
        private final Set<String> classes = new TreeSet<>();
        private int returns;
        private long outside = -1;
        private long deepest;
        private final String until;

        private Steps(String until) {
            this.until = until;
        }

        /** The steps of an action. */
        public static Steps of(Runnable action) {
            return of("", action);
        }

        /** The steps of an action up to the entry of the monitor of the method {@code until}, that included. */
        public static Steps of(String until, Runnable action) {
            Steps steps = new Steps(until);
            OF_THREAD.set(steps);
            try {
                action.run();
            } finally {
                OF_THREAD.remove();
            }
            return steps;
        }

        public static void begin(String method) {
            Steps steps = OF_THREAD.get();
            if (steps != null) {
                steps.begun.add(method);
                steps.classes.add(method.substring(0, method.indexOf('.')));
                long frames = StackWalker.getInstance()
                        .walk(all -> all.filter(frame -> frame.getClassName().startsWith("dev.buffers."))
                                .count());
                steps.outside = steps.outside < 0 ? frames - 1 : steps.outside; // the action calls the library
                steps.deepest = Math.max(steps.deepest, frames - steps.outside);
            }
        }

        public static void enter(String method) {
            Steps steps = OF_THREAD.get();
            if (steps != null) {
                steps.monitors.add(method);
                if (method.equals(steps.until)) {
                    OF_THREAD.remove();
                }
            }
        }

        /** Of a method that returns. One that throws does not come here. */
        public static void end(String method) {
            Steps steps = OF_THREAD.get();
            if (steps != null) {
                steps.returns++;
            }
        }

        /** The methods begun, as often as they were. */
        public List<String> begun() {
            return begun;
        }

        /** The methods that entered a monitor, also one that the thread already held. */
        public List<String> monitors() {
            return monitors;
        }

        /** The classes whose methods were begun. */
        public Set<String> classes() {
            return classes;
        }

        public int returns() {
            return returns;
        }

        /** How many of the library's methods were on the stack at most. */
        public int depth() {
            return (int) deepest;
        }
    }
}
