// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.buffers.BufferPolicy;
import dev.buffers.PoolSettings;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.support.Explicit;
import dev.buffers.support.Refusal;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies by name, with providers that only a class loader of the test's own knows. */
class PolicyLookupTest {

    @TempDir
    Path folder;

    @Test
    void providerFoundByBothLoadersCountsOnce() throws IOException {
        try (URLClassLoader first = loader("a", Mine.class);
                URLClassLoader second = loader("b", Mine.class, Other.class)) {
            assertInstanceOf(Mine.class, find("mine", first, second));
        }
    }

    @Test
    void theThreadsOwnLoaderIsAskedFirst() throws IOException {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader = loader("a", Mine.class)) {
            Thread.currentThread().setContextClassLoader(loader);
            ExplicitSettings explicit = new Explicit();
            explicit.policy("mine");
            assertInstanceOf(
                    Mine.class, ResolvedSettings.resolve("web", explicit).policy());
            Thread.currentThread().setContextClassLoader(null);
            Refusal.of(
                    () -> ResolvedSettings.resolve("web", explicit), "buffers.policy=mine (from builder) is no policy");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void anUnknownNameListsTheKnownOnes() throws IOException {
        try (URLClassLoader loader = loader("a", Mine.class, Other.class)) {
            assertEquals(
                    "bad value: buffers.policy=mien (from -Dbuffers.policy) is no policy, did you mean mine?; accepted: heap, direct,"
                            + " heap-view, direct-view, unpooled, or a name found by ServiceLoader"
                            + " (found: mine, other)",
                    Refusal.of(() -> find("mien", loader)));
        }
        Refusal.of(() -> find("mien"), "(found: none)");
    }

    @Test
    void duplicateProviderNameIsAnErrorWhenRequested() throws IOException {
        try (URLClassLoader loader = loader("a", Mine.class, AlsoMine.class, Other.class)) {
            Refusal.of(
                    () -> find("mine", loader),
                    "buffers.policy=mine (from -Dbuffers.policy) is the name of " + Mine.class.getName() + " and "
                            + AlsoMine.class.getName() + "; accepted: one provider by that name");
            assertInstanceOf(Other.class, find("other", loader));
        }
    }

    @Test
    void providerWithBuiltInNameIsAnErrorWhenRequested() throws IOException {
        try (URLClassLoader loader = loader("a", Heap.class)) {
            Refusal.of(
                    () -> find("heap", loader),
                    "buffers.policy=heap (from -Dbuffers.policy) is built in and also the name of "
                            + Heap.class.getName() + "; accepted: a provider by another name");
            assertSame(BuiltInPolicy.DIRECT, find("direct", loader));
        }
    }

    @Test
    void failingProvidersLeaveOthersUsable() throws IOException {
        Path services = services("a");
        Files.writeString(
                services,
                String.join(
                        "\n",
                        Throwing.class.getName(),
                        Unlinkable.class.getName(),
                        "no.such.Policy",
                        SettingsFileTest.class.getName(),
                        Nameless.class.getName(),
                        NameThrows.class.getName(),
                        Mine.class.getName()));
        try (URLClassLoader loader = loader("a")) {
            assertSame(BuiltInPolicy.DIRECT_VIEW, find("direct-view", loader));
            assertInstanceOf(Mine.class, find("mine", loader));
            Refusal.of(
                    () -> find("throwing", loader),
                    "(found: mine); providers that failed: ",
                    Throwing.class.getName() + " could not be instantiated",
                    "caused by java.lang.IllegalStateException: no huge pages here",
                    Unlinkable.class.getName(),
                    "no.such.Policy",
                    SettingsFileTest.class.getName() + " not a subtype",
                    "policy without a name: " + Nameless.class.getName() + ".name()=null",
                    NameThrows.class.getName() + ".name(): java.lang.UnsupportedOperationException: no name");
        }
    }

    @Test
    void malformedServicesFileLeavesOtherLoadersUsable() throws IOException {
        Files.writeString(services("a"), "not a class name\n");
        try (URLClassLoader broken = loader("a");
                URLClassLoader sound = loader("b", Mine.class)) {
            assertInstanceOf(Mine.class, find("mine", broken, sound));
            Refusal.of(() -> find("other", broken, sound), "providers that failed: ", "Illegal configuration-file");
        }
    }

    @Test
    void aPolicyGivenAsAnObjectNeedsNoProvider() throws IOException {
        try (URLClassLoader loader = loader("a", Mine.class, AlsoMine.class, Throwing.class)) {
            ExplicitSettings explicit = new Explicit();
            BufferPolicy own = new Mine();
            explicit.policy(own);
            PoolSettings settings =
                    ResolvedSettings.resolve("web", explicit, Map.of("buffers.policy", "absent"), Map.of(), loader);
            assertSame(own, settings.policy());
        }
    }

    private static BufferPolicy find(String name, ClassLoader... loaders) {
        Map<String, String> options = Map.of("buffers.policy", name);
        return ResolvedSettings.resolve("web", new Explicit(), options, Map.of(), loaders)
                .policy();
    }

    private Path services(String directory) throws IOException {
        Path services = Files.createDirectories(folder.resolve(directory).resolve("META-INF/services"));
        return services.resolve(BufferPolicy.class.getName());
    }

    private URLClassLoader loader(String directory, Class<?>... providers) throws IOException {
        if (providers.length > 0) {
            String names = Arrays.stream(providers).map(Class::getName).collect(Collectors.joining("\n"));
            Files.writeString(services(directory), names);
        }
        URL[] urls = {folder.resolve(directory).toUri().toURL()};
        return new URLClassLoader(urls, PolicyLookupTest.class.getClassLoader());
    }

    /** A sound policy. */
    public static class Mine implements BufferPolicy {
        @Override
        public String name() {
            return "mine";
        }

        @Override
        public boolean direct() {
            return false;
        }

        @Override
        public boolean views() {
            return true;
        }

        @Override
        public ByteBuffer allocate(int bytes) {
            return ByteBuffer.allocate(bytes);
        }
    }

    public static final class AlsoMine extends Mine {}

    public static final class Other extends Mine {
        @Override
        public String name() {
            return "other";
        }
    }

    public static final class Heap extends Mine {
        @Override
        public String name() {
            return "heap";
        }
    }

    public static final class Throwing extends Mine {
        public Throwing() {
            throw new IllegalStateException("no huge pages here");
        }
    }

    public static final class Unlinkable extends Mine {
        public Unlinkable() {
            throw new NoClassDefFoundError("jdk/incubator/Absent");
        }
    }

    public static final class Nameless extends Mine {
        @Override
        public String name() {
            return null;
        }
    }

    public static final class NameThrows extends Mine {
        @Override
        public String name() {
            throw new UnsupportedOperationException("no name");
        }
    }
}
