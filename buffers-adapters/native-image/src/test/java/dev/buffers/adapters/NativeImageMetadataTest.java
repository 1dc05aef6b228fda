// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.adapters.Metadata.TypeName;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.StandardMBean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;

/**
 * The metadata of our artifacts for GraalVM's {@code native-image} agrees with their code, both ways. No image is built here.
 *
 * <p>What {@code native-image} finds by itself: a {@code VarHandle} whose class and name are constants in the code. Whatever else is found
 * by name must stand in the metadata.
 */
@Tag("full")
class NativeImageMetadataTest {
    private static final String ARENAS = "dev.buffers.internal.memory.ArenaMemory";

    private static List<Artifact> artifacts;

    @BeforeAll
    static void read() throws IOException {
        artifacts = Artifact.all();
    }

    @Test
    void everyArtifactHasMetadata() {
        assertEquals(
                Set.of(
                        "buffers-core",
                        "buffers-grizzly",
                        "buffers-jetty121",
                        "buffers-jetty120",
                        "buffers-micrometer",
                        "buffers-tls-channel",
                        "buffers-tomcat",
                        "buffers-undertow"),
                artifacts.stream().map(Artifact::name).collect(Collectors.toSet()));
        artifacts.forEach(artifact -> assertTrue(artifact.classes().size() > 2, artifact::name));
    }

    /** All classes and members in the metadata exist: here, or in the JDK or a framework that is new enough. */
    @Test
    void namedElementsExist() {
        Set<String> missing = new TreeSet<>();
        for (Artifact artifact : artifacts) {
            for (Metadata.Type type : artifact.metadata().reflection()) {
                for (String name : type.type().names()) {
                    ClassNode ours = artifact.classes().get(name);
                    List<String> members = ours == null ? elsewhere(name) : members(ours);
                    Stream<String> named = Stream.concat(
                            type.methods().stream().map(method -> method.name() + method.parameterTypes()),
                            type.fields().stream().map(Metadata.Field::name));
                    if (members == null) {
                        missing.add(artifact.name() + ": " + name);
                    } else {
                        named.filter(member -> !members.contains(member))
                                .forEach(member -> missing.add(artifact.name() + ": " + name + "." + member));
                    }
                }
            }
        }
        assertEquals(Set.of(), missing);
    }

    private static List<String> members(ClassNode type) {
        return Stream.concat(
                        type.methods.stream()
                                .map(method -> method.name
                                        + Arrays.stream(Type.getArgumentTypes(method.desc))
                                                .map(Type::getClassName)
                                                .toList()),
                        type.fields.stream().map(field -> field.name))
                .toList();
    }

    /** Null when there is no such class; every member, so to speak, of a class that a later JDK has. */
    private static List<String> elsewhere(String name) {
        int feature = Runtime.version().feature();
        if (name.startsWith("java.lang.foreign.") && feature < 22) {
            return List.of("ofShared[]", "allocate[long, long]", "close[]", "asByteBuffer[]");
        }
        if (name.equals("java.lang.Thread") && feature < 21) {
            return List.of("isVirtual[]");
        }
        try {
            return Arrays.stream(Class.forName(name.replace("[]", "")).getMethods())
                    .map(method -> method.getName()
                            + Arrays.stream(method.getParameterTypes())
                                    .map(Class::getTypeName)
                                    .toList())
                    .toList();
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /** All classes and members that the code finds by name at run time are in the metadata, and every such call is made. */
    @Test
    void elementsFoundByNameAreNamed() throws Exception {
        Set<String> wrong = new TreeSet<>();
        int traced = 0;
        for (Artifact artifact : artifacts) {
            List<ByName> calls = calls(artifact);
            for (Tracer.Trace trace : run(artifact, calls)) {
                traced++;
                calls.removeIf(call -> call.where().equals(trace.where()));
                if (!named(trace, artifact.metadata())) {
                    wrong.add(artifact.name() + ": " + trace);
                }
            }
            calls.removeIf(
                    call -> call.where().startsWith(ARENAS) && Runtime.version().feature() < 22);
            calls.forEach(call -> wrong.add(artifact.name() + ": not made: " + call.where()));
        }
        assertEquals(Set.of(), wrong);
        assertTrue(traced > 20, "calls: " + traced);
    }

    private static List<ByName> calls(Artifact artifact) {
        List<ByName> calls = new ArrayList<>();
        for (ClassNode type : artifact.classes().values()) {
            type.methods.forEach(method -> calls.addAll(ByName.in(type, method)));
        }
        return calls;
    }

    private static List<Tracer.Trace> run(Artifact artifact, List<ByName> calls) throws Exception {
        Map<String, ClassNode> classes = new TreeMap<>(artifact.classes());
        boolean core = artifact.name().equals("buffers-core");
        if (core) {
            ClassNode node = new ClassNode();
            new ClassReader(EverythingByName.class.getName()).accept(node, 0);
            classes.put(EverythingByName.class.getName(), node);
        }
        Tracer tracer = new Tracer(classes);
        for (ByName call : calls) {
            try {
                Class.forName(call.type(), true, tracer);
            } catch (LinkageError e) {
                assertTrue(call.where().startsWith(ARENAS) && Runtime.version().feature() < 22, e::toString);
            }
        }
        if (core) {
            Class<?> everything = Class.forName(EverythingByName.class.getName(), true, tracer);
            ((Runnable) everything.getConstructor().newInstance()).run();
        }
        return Tracer.traces();
    }

    private static boolean named(Tracer.Trace trace, Metadata metadata) {
        return switch (trace.kind()) {
            case "class" -> type(metadata, trace.argument(String.class)).isPresent();
            case "method" ->
                type(metadata, trace.argument(Class.class).getName())
                        .filter(type -> type.methods()
                                .contains(new Metadata.Method(
                                        trace.argument(String.class),
                                        trace.argument(MethodType.class).parameterList().stream()
                                                .map(Class::getTypeName)
                                                .toList())))
                        .isPresent();
            case "field" ->
                type(metadata, trace.argument(Class.class).getName())
                        .filter(type -> type.fields().contains(new Metadata.Field(trace.argument(String.class))))
                        .isPresent();
            case "handle" -> trace.constant();
            case "resource" -> metadata.resources().contains(new Metadata.Resource(trace.argument(String.class)));
            case "service" ->
                metadata.resources()
                        .contains(new Metadata.Resource("META-INF/services/"
                                + trace.argument(Class.class).getName()));
            case "bean" ->
                type(
                                metadata,
                                trace.argument(StandardMBean.class)
                                        .getMBeanInterface()
                                        .getName())
                        .filter(Metadata.Type::allPublicMethods)
                        .isPresent();
            case "proxy" ->
                type(
                                metadata,
                                new TypeName(
                                        true,
                                        Arrays.stream(trace.argument(Class[].class))
                                                .map(each -> each.getName())
                                                .toList()))
                        .isPresent();
            default -> false;
        };
    }

    private static Optional<Metadata.Type> type(Metadata metadata, String name) {
        return type(metadata, new TypeName(false, List.of(name)));
    }

    private static Optional<Metadata.Type> type(Metadata metadata, TypeName name) {
        return metadata.reflection().stream()
                .filter(type -> type.type().equals(name))
                .findFirst();
    }
}
