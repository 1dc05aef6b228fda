// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.buffers.PoolSettings;
import dev.buffers.internal.settings.ResolvedSettings;
import dev.buffers.internal.settings.Setting;
import dev.buffers.internal.settings.SettingKey;
import dev.buffers.internal.settings.SettingsFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Any text where a setting is expected: as the value of each key, as system properties, as {@code buffers.properties}. It is either a
 * setting, whose own text reads as the same, or an error that names key and value; never another exception, and nothing large is made.
 */
public final class FuzzedSettings {
    private static final Pattern PRINTED = Pattern.compile("([a-z-]+)=(\\S+) \\(.*\\)");
    private static final long MOST_ALLOCATED = 16 << 20;
    private static final long MOST_ALLOCATED_A_BYTE = 10_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final InMemory LOADER = new InMemory();

    private FuzzedSettings() {}

    public static void run(byte[] input) {
        long most = MOST_ALLOCATED + MOST_ALLOCATED_A_BYTE * input.length;
        long allocated = allocates(input);
        if (allocated > most) {
            allocated = allocates(input); // the first time classes were loaded, and rewritten by Jazzer
        }
        long again = allocated;
        assertTrue(again <= most, () -> "bytes allocated: " + again + " for " + input.length);
    }

    private static long allocates(byte[] input) {
        long self = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(self);
        String text = new String(input, UTF_8);
        SettingKey.ALL.forEach(key -> asValue(key, text));
        asProperties(text);
        asFile(input);
        return THREADS.getThreadAllocatedBytes(self) - before;
    }

    private static <T> void asValue(SettingKey<T> key, String text) {
        String property = "buffers.fuzzed." + key.name();
        Setting<T> setting;
        try {
            setting = Setting.read(key, property, text, "here");
        } catch (IllegalArgumentException e) {
            String message = e.getMessage();
            assertTrue(message.startsWith("bad value: " + property + "=" + text + " (from here) "), message);
            assertTrue(message.endsWith("; accepted: " + key.accepted()), message);
            return;
        }
        String written = key.write(setting.value());
        assertEquals(
                setting.value(), Setting.read(key, property, written, "here").value(), written);
        assertEquals(key.name() + "=" + written + " (here)", setting.toString());
    }

    private static void asProperties(String text) {
        Map<String, String> properties = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            int equals = line.indexOf('=');
            properties.put(line.substring(0, Math.max(0, equals)), line.substring(equals + 1));
        });
        try {
            printsWhatItReads(ResolvedSettings.resolve("fuzzed", new Explicit(), properties, Map.of()));
        } catch (IllegalArgumentException e) {
            names(e.getMessage(), properties);
        }
    }

    private static void asFile(byte[] content) {
        LOADER.content = content;
        Map<String, String> properties = Map.of();
        try {
            properties = SettingsFile.find(List.of(LOADER)).properties();
            printsWhatItReads(ResolvedSettings.resolve("fuzzed", new Explicit(), Map.of(), Map.of(), LOADER));
        } catch (IllegalArgumentException e) {
            if (!e.getMessage().startsWith("cannot read buffers.properties: url=" + InMemory.URL_TEXT)) {
                names(e.getMessage(), properties);
            }
        }
    }

    /** What settings print is read as the same settings. */
    private static void printsWhatItReads(PoolSettings settings) {
        Map<String, String> printed = printed(settings);
        assertEquals(printed, printed(ResolvedSettings.resolve("fuzzed", new Explicit(), printed, Map.of())));
    }

    private static Map<String, String> printed(PoolSettings settings) {
        Map<String, String> printed = new LinkedHashMap<>();
        for (String line : settings.toString().split("\n")) {
            Matcher matcher = PRINTED.matcher(line);
            if (matcher.matches()) {
                printed.put("buffers.fuzzed." + matcher.group(1), matcher.group(2));
            }
        }
        assertEquals(SettingKey.ALL.size(), printed.size(), settings::toString);
        return printed;
    }

    /** The error is about one of the properties, by its name, with its value as it was given or as it was understood. */
    private static void names(String message, Map<String, String> properties) {
        assertTrue(message.startsWith("bad value: ") || message.startsWith("unknown key: "), message);
        assertTrue(message.contains("; accepted"), message);
        assertTrue(
                properties.entrySet().stream().anyMatch(property -> {
                    String start = message.substring(message.indexOf(": ") + 2);
                    String name = property.getKey() + "=";
                    return start.startsWith(name + property.getValue() + " (from ")
                            || start.startsWith(name + understood(property) + " (from ");
                }),
                message);
    }

    private static String understood(Map.Entry<String, String> property) {
        String name = property.getKey();
        Optional<SettingKey<?>> key = SettingKey.named(name.substring(name.lastIndexOf('.') + 1));
        return key.map(found -> rewritten(found, property.getValue())).orElse("");
    }

    private static <T> String rewritten(SettingKey<T> key, String text) {
        try {
            return key.write(key.read(text.strip()));
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /** A class path of one file, {@code buffers.properties}. */
    private static final class InMemory extends ClassLoader {
        static final String URL_TEXT = "memory:buffers.properties";

        private byte[] content = {};

        InMemory() {
            super(null);
        }

        @Override
        protected Enumeration<URL> findResources(String name) throws IOException {
            return name.equals(SettingsFile.NAME)
                    ? Collections.enumeration(List.of(url()))
                    : Collections.emptyEnumeration();
        }

        private URL url() throws MalformedURLException {
            return new URL(null, URL_TEXT, new URLStreamHandler() {
                @Override
                protected URLConnection openConnection(URL url) {
                    return new URLConnection(url) {
                        @Override
                        public void connect() {
                            // It is there already.
                        }

                        @Override
                        public InputStream getInputStream() {
                            return new ByteArrayInputStream(content);
                        }
                    };
                }
            });
        }
    }
}
