// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * A class loader with copies of our classes which, while they run, tell what they find by name, as classes do under GraalVM's tracing
 * agent: each such call is noted with its arguments before it is made. All other classes come from the class path.
 */
public final class Tracer extends ClassLoader {
    private static final Queue<Trace> TRACES = new ConcurrentLinkedQueue<>();

    private final Map<String, ClassNode> classes;

    /** A call that was made, and the object arguments that it had. */
    record Trace(String kind, String where, boolean constant, List<Object> arguments) {
        <T> T argument(Class<T> type) {
            return arguments.stream()
                    .filter(type::isInstance)
                    .map(type::cast)
                    .findFirst()
                    .orElseThrow();
        }
    }

    Tracer(Map<String, ClassNode> classes) {
        super(Tracer.class.getClassLoader());
        this.classes = classes;
        TRACES.clear();
    }

    /** All calls since the newest tracer was made. */
    static List<Trace> traces() {
        return List.copyOf(TRACES);
    }

    /** Called by the copies. */
    public static void trace(String kind, String where, boolean constant, Object[] arguments) {
        TRACES.add(new Trace(kind, where, constant, Collections.unmodifiableList(Arrays.asList(arguments))));
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            ClassNode original = classes.get(name);
            Class<?> loaded = original == null ? super.loadClass(name, resolve) : findLoadedClass(name);
            return loaded == null ? copy(name, original) : loaded;
        }
    }

    private Class<?> copy(String name, ClassNode original) {
        ClassNode copy = new ClassNode();
        original.accept(copy);
        for (MethodNode method : copy.methods) {
            for (ByName call : ByName.in(copy, method)) {
                method.instructions.insertBefore(call.call(), noting(call, method));
            }
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        copy.accept(writer);
        byte[] code = writer.toByteArray();
        return defineClass(name, code, 0, code.length);
    }

    /** Takes the arguments from the stack into new variables, notes those that are objects, and puts all back. */
    private static InsnList noting(ByName found, MethodNode method) {
        MethodInsnNode call = found.call();
        Type[] types = Type.getArgumentTypes(call.desc);
        int[] variables = new int[types.length];
        int next = method.maxLocals;
        int objects = 0;
        for (int i = 0; i < types.length; i++) {
            variables[i] = next;
            next += types[i].getSize();
            objects += isObject(types[i]) ? 1 : 0;
        }
        InsnList code = new InsnList();
        for (int i = types.length - 1; i >= 0; i--) {
            code.add(new VarInsnNode(types[i].getOpcode(Opcodes.ISTORE), variables[i]));
        }
        code.add(new LdcInsnNode(found.kind()));
        code.add(new LdcInsnNode(found.where()));
        code.add(new InsnNode(found.constant() ? Opcodes.ICONST_1 : Opcodes.ICONST_0));
        code.add(new IntInsnNode(Opcodes.BIPUSH, objects));
        code.add(new TypeInsnNode(Opcodes.ANEWARRAY, "java/lang/Object"));
        int at = 0;
        for (int i = 0; i < types.length; i++) {
            if (isObject(types[i])) {
                code.add(new InsnNode(Opcodes.DUP));
                code.add(new IntInsnNode(Opcodes.BIPUSH, at++));
                code.add(new VarInsnNode(Opcodes.ALOAD, variables[i]));
                code.add(new InsnNode(Opcodes.AASTORE));
            }
        }
        code.add(new MethodInsnNode(
                Opcodes.INVOKESTATIC,
                Type.getInternalName(Tracer.class),
                "trace",
                "(Ljava/lang/String;Ljava/lang/String;Z[Ljava/lang/Object;)V"));
        for (int i = 0; i < types.length; i++) {
            code.add(new VarInsnNode(types[i].getOpcode(Opcodes.ILOAD), variables[i]));
        }
        return code;
    }

    private static boolean isObject(Type type) {
        return type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
    }
}
