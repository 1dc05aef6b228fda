// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.PoolSettings;
import dev.buffers.support.Explicit;
import dev.buffers.support.Refusal;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code buffers.properties}, found by loaders that see nothing but folders of the test's own. */
class SettingsFileTest {
    @TempDir
    Path folder;

    private final ExplicitSettings nothing = new Explicit();

    @Test
    void withoutAFileThereAreDefaults() throws IOException {
        try (URLClassLoader loader = loader("a")) {
            assertEquals(Map.of(), SettingsFile.find(List.of(loader)).properties());
        }
        assertEquals(Map.of(), SettingsFile.find(List.of()).properties());
    }

    @Test
    void holdsKeysOfAllPoolsAndOfOne() throws IOException {
        Path file = write(
                "a", "# ours\nbuffers.max = 2m\nbuffers.web.max=3m\nbuffers.other.max=4m\nbuffers.zero: release \n");
        try (URLClassLoader loader = loader("a")) {
            PoolSettings web = resolve(loader);
            assertEquals(3 << 20, web.maxBytes());
            assertTrue(web.toString().contains("\nmax=3m (buffers.properties at " + url(file) + ")\n"), web.toString());
            assertEquals(PoolSettings.Zeroing.RELEASE, web.zero());
            assertEquals(2 << 20, resolve("api", Map.of(), loader).maxBytes());
        }
    }

    @Test
    void byteOrderMarkAtStartIsSkipped() throws IOException {
        write("a", (char) 0xFEFF + "buffers.max=2m");
        try (URLClassLoader loader = loader("a")) {
            assertEquals(
                    Map.of("buffers.max", "2m"),
                    SettingsFile.find(List.of(loader)).properties());
        }
    }

    @Test
    void twoFilesAreAnErrorThatNamesBoth() throws IOException {
        Path one = write("a", "buffers.max=2m");
        Path two = write("b", "buffers.max=2m");
        String expected = "more than one buffers.properties on the class path: buffers.properties=" + url(one) + ", "
                + url(two) + "; accepted: one";
        try (URLClassLoader both = loader("a", "b");
                URLClassLoader first = loader("a");
                URLClassLoader second = loader("b")) {
            assertEquals(expected, Refusal.of(() -> resolve(both)));
            assertEquals(expected, Refusal.of(() -> resolve(first, second)));
        }
    }

    @Test
    void fileFoundTwiceCountsOnce() throws IOException {
        write("a", "buffers.max=2m");
        try (URLClassLoader first = loader("a");
                URLClassLoader second = loader("a")) {
            assertEquals(2 << 20, resolve(first, second).maxBytes());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "buffers.polcy=heap, 'unknown key: buffers.polcy=heap (from FILE), did you mean buffers.policy?'",
        "buffers.web.max=much, bad value: buffers.web.max=much (from FILE) is not a number",
        "max=2m, 'unknown key: max=2m (from FILE), did you mean buffers.max?'",
        "buffers.max=\\u12, cannot read buffers.properties: url=URL"
    })
    void mistakeInFileIsAnErrorThatNamesTheFile(String text, String error) throws IOException {
        Path file = write("a", text);
        try (URLClassLoader loader = loader("a")) {
            String url = url(file).toString();
            String expected =
                    error.replace("FILE", "buffers.properties at " + url).replace("URL", url);
            Refusal.of(() -> resolve(loader), expected);
        }
    }

    @Test
    void isReadAnewForEveryPool() throws IOException {
        write("a", "buffers.max=2m");
        try (URLClassLoader loader = loader("a")) {
            resolve(loader);
            write("a", "buffers.max=3m");
            assertEquals(3 << 20, resolve(loader).maxBytes());
        }
    }

    @Test
    void propertiesThatAreNoStringsAreLeftOut() {
        Properties properties = new Properties();
        properties.put("buffers.zero", "never");
        properties.put("buffers.max", 7);
        assertEquals(Map.of("buffers.zero", "never"), SettingsFile.texts(properties));
    }

    private PoolSettings resolve(ClassLoader... loaders) {
        return resolve("web", Map.of(), loaders);
    }

    private PoolSettings resolve(String pool, Map<String, String> options, ClassLoader... loaders) {
        return ResolvedSettings.resolve(pool, nothing, options, Map.of(), loaders);
    }

    private Path write(String directory, String text) throws IOException {
        Path path = Files.createDirectories(folder.resolve(directory)).resolve("buffers.properties");
        return Files.writeString(path, text);
    }

    private URLClassLoader loader(String... directories) throws IOException {
        URL[] urls = new URL[directories.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = url(Files.createDirectories(folder.resolve(directories[i])));
        }
        return new URLClassLoader(urls, null);
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }
}
