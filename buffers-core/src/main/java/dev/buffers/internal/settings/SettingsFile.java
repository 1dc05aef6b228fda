// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * {@code buffers.properties} on the class path, in UTF-8. At most one may exist: with two, the class path's order would decide between
 * them, so that is an error that names both.
 *
 * @param origin its name in messages
 * @param properties its contents
 */
public record SettingsFile(String origin, Map<String, String> properties) {

    public static final String NAME = "buffers.properties";

    /** Some editors put it at the start of a file. */
    private static final char BYTE_ORDER_MARK = 0xFEFF;

    /** Reads the file that these loaders find; empty when there is none. */
    public static SettingsFile find(List<ClassLoader> loaders) {
        Map<String, URL> found = new LinkedHashMap<>(); // by text: URL.equals may ask a name server
        for (ClassLoader loader : loaders) {
            try {
                loader.resources(NAME).forEach(url -> found.put(url.toExternalForm(), url));
            } catch (UncheckedIOException e) {
                throw new IllegalArgumentException("cannot look for " + NAME + ": loader=" + loader, e);
            }
        }
        if (found.size() > 1) {
            throw new IllegalArgumentException("more than one " + NAME + " on the class path: " + NAME + "="
                    + String.join(", ", found.keySet()) + "; accepted: one");
        }
        return found.values().stream().map(SettingsFile::read).findFirst().orElse(new SettingsFile(NAME, Map.of()));
    }

    private static SettingsFile read(URL url) {
        Properties properties = new Properties();
        try {
            URLConnection connection = url.openConnection();
            connection.setUseCaches(false); // a cached jar would show an older version, and stay open
            try (Reader reader = new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8))) {
                reader.mark(1);
                if (reader.read() != BYTE_ORDER_MARK) {
                    reader.reset();
                }
                properties.load(reader);
            }
        } catch (IOException | IllegalArgumentException e) { // the latter for a malformed escape
            throw new IllegalArgumentException("cannot read " + NAME + ": url=" + url + " (" + e.getMessage() + ")", e);
        }
        return new SettingsFile(NAME + " at " + url, texts(properties));
    }

    /** A copy of the present properties, without those that are no strings. */
    public static Map<String, String> texts(Properties properties) {
        Map<String, String> texts = new HashMap<>();
        for (String property : properties.stringPropertyNames()) {
            texts.computeIfAbsent(property, properties::getProperty); // adds none that was removed in the meantime
        }
        return texts;
    }
}
