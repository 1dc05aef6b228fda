// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Our module resolves, next to Micrometer's automatic ones, and exports its API and nothing else. */
class ModulePathTest {
    private static final List<String> JARS =
            List.of("micrometer-co", "micrometer-observation", "HdrHistogram", "LatencyUtils", "jctools", "jspecify");

    @Test
    void aModuleMonitorsAPool() throws Exception {
        ModuleFinder finder = ModuleFinder.of(
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(Path::of)
                        .filter(ModulePathTest::isModule)
                        .toArray(Path[]::new));
        Configuration configuration =
                ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of("dev.buffers.micrometer"));
        ModuleLayer layer =
                ModuleLayer.boot().defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());

        Module module = layer.findModule("dev.buffers.micrometer").orElseThrow();
        assertEquals(Set.of("dev.buffers.micrometer"), module.getDescriptor().packages());
        assertTrue(module.isExported("dev.buffers.micrometer"));

        ClassLoader loader = module.getClassLoader();
        Class<?> pools = loader.loadClass("dev.buffers.BufferPool");
        Class<?> registries = loader.loadClass("io.micrometer.core.instrument.MeterRegistry");
        Class<?> metrics = loader.loadClass("dev.buffers.micrometer.BufferPoolMetrics");
        assertEquals(module, metrics.getModule());
        Object registry = loader.loadClass("io.micrometer.core.instrument.simple.SimpleMeterRegistry")
                .getConstructor()
                .newInstance();
        try (AutoCloseable pool =
                (AutoCloseable) pools.getMethod("create", String.class).invoke(null, "module")) {
            Method monitor = metrics.getMethod("monitor", registries, pools);
            Method meters = registries.getMethod("getMeters");
            AutoCloseable monitored = (AutoCloseable) monitor.invoke(null, registry, pool);
            assertEquals(24, ((List<?>) meters.invoke(registry)).size());
            monitored.close();
            assertEquals(List.of(), meters.invoke(registry));
        }
    }

    private static boolean isModule(Path entry) {
        String name = entry.getFileName().toString();
        return JARS.stream().anyMatch(name::startsWith)
                || Files.exists(entry.resolve("module-info.class"))
                || name.startsWith("buffers-core");
    }
}
