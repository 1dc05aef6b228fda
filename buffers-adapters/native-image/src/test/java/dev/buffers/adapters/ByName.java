// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A call that finds something by its name at run time.
 *
 * @param kind class, method, field, service, resource, bean, proxy, handle, or "?" for what we do not use
 * @param type the class that makes the call
 * @param constant whether a class and a name stand as constants before it in its statement
 */
record ByName(String kind, String type, String where, MethodInsnNode call, boolean constant) {
    private static final String LOOKUP = "java/lang/invoke/MethodHandles$Lookup";
    private static final Set<String> FROM_CLASS = Set.of(
            "getMethod",
            "getMethods",
            "getDeclaredMethod",
            "getDeclaredMethods",
            "getConstructor",
            "getConstructors",
            "getDeclaredConstructor",
            "getDeclaredConstructors",
            "getField",
            "getFields",
            "getDeclaredField",
            "getDeclaredFields",
            "getRecordComponents",
            "newInstance");

    static List<ByName> in(ClassNode type, MethodNode method) {
        List<ByName> found = new ArrayList<>();
        String owner = type.name.replace('/', '.');
        boolean named = false;
        boolean typed = false;
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof LdcInsnNode constant) {
                named |= constant.cst instanceof String;
                typed |= constant.cst instanceof Type;
            } else if (instruction instanceof MethodInsnNode call && kind(call) != null) {
                String where = owner + "." + method.name + ": " + call.name + " " + found.size();
                found.add(new ByName(kind(call), owner, where, call, named && typed));
                named = false;
                typed = false;
            }
        }
        return found;
    }

    private static String kind(MethodInsnNode call) {
        return switch (call.owner) {
            case "java/lang/Class" ->
                call.name.equals("forName")
                        ? "class"
                        : call.name.startsWith("getResource")
                                ? "resource"
                                : FROM_CLASS.contains(call.name) ? "?" : null;
            case "java/lang/ClassLoader" ->
                call.name.startsWith("getResource") ? "resource" : call.name.equals("loadClass") ? "?" : null;
            case LOOKUP ->
                call.name.matches("find(Virtual|Static|Special)")
                        ? "method"
                        : call.name.matches("find.*VarHandle")
                                ? "handle"
                                : call.name.matches("find.*|unreflect.*") ? "?" : null;
            case "java/util/ServiceLoader" -> call.name.startsWith("load") ? "service" : null;
            case "javax/management/MBeanServer" -> call.name.equals("registerMBean") ? "bean" : null;
            case "java/util/ResourceBundle", "java/io/ObjectInputStream" -> "?";
            case "java/lang/reflect/Proxy" -> call.name.equals("newProxyInstance") ? "proxy" : null;
            case "java/lang/reflect/Array" -> call.name.equals("newInstance") ? "?" : null;
            default -> call.name.equals("newUpdater") ? "field" : null;
        };
    }
}
