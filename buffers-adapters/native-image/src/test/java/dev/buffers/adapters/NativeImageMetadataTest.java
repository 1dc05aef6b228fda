package dev.buffers.adapters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.adapters.Metadata.TypeName;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;

/**
 * The metadata of our artifacts for GraalVM's {@code native-image} agrees with their code, both ways. No image is built here.
 *
 * <p>What {@code native-image} finds by itself: a {@code VarHandle} or class whose names are constants in the code. Whatever else is found by
 * name must stand in the metadata.
 */
class NativeImageMetadataTest {
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
                        "buffers-jetty",
                        "buffers-jetty120",
                        "buffers-micrometer",
                        "buffers-tls-channel",
                        "buffers-undertow"),
                artifacts.stream().map(Artifact::name).collect(Collectors.toSet()));
        artifacts.forEach(artifact -> assertTrue(artifact.classes().size() > 2, artifact::name));
    }

    /** What is named exists: here, or in the JDK or a framework that is new enough. */
    @Test
    void whatIsNamedExists() {
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

    /** What the code finds by name is named. */
    @Test
    void whatIsFoundByNameIsNamed() {
        Set<String> unnamed = new TreeSet<>();
        int found = 0;
        for (Artifact artifact : artifacts) {
            for (ClassNode type : artifact.classes().values()) {
                for (ByName call : ByName.of(type)) {
                    found++;
                    if (!named(call, artifact)) {
                        unnamed.add(artifact.name() + ": " + call);
                    }
                }
                for (String shown : type.interfaces) {
                    if (shown.endsWith("MXBean") && !allMethods(artifact, shown.replace('/', '.'))) {
                        unnamed.add(artifact.name() + ": " + shown + " of " + type.name);
                    }
                }
            }
        }
        assertEquals(Set.of(), unnamed);
        assertTrue(found > 20, "calls found: " + found);
    }

    private static boolean named(ByName call, Artifact artifact) {
        List<Metadata.Type> types = artifact.metadata().reflection();
        String text = call.lastText();
        return switch (call.kind()) {
            case "class" -> types.stream().anyMatch(type -> type.type().equals(new TypeName(false, List.of(text))));
            case "method" ->
                types.stream()
                        .flatMap(type -> type.methods().stream())
                        .anyMatch(method -> method.name().equals(text));
            case "field" ->
                types.stream()
                        .flatMap(type -> type.fields().stream())
                        .anyMatch(field -> field.name().equals(text));
            case "handle" -> !call.types().isEmpty() && !call.texts().isEmpty(); // constants
            case "resource" -> globs(artifact).contains(text);
            case "service" ->
                !call.types().isEmpty()
                        && globs(artifact)
                                .contains("META-INF/services/"
                                        + call.types().get(0).getClassName());
            case "bean" -> types.stream().anyMatch(Metadata.Type::allPublicMethods);
            default -> false;
        };
    }

    private static List<String> globs(Artifact artifact) {
        return artifact.metadata().resources().stream()
                .map(Metadata.Resource::glob)
                .toList();
    }

    private static boolean allMethods(Artifact artifact, String name) {
        return artifact.metadata().reflection().stream()
                .anyMatch(type -> type.allPublicMethods() && type.type().equals(new TypeName(false, List.of(name))));
    }
}
