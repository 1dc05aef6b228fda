// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.jetty;

import java.net.URL;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a class path that holds both artifacts for Jetty, or the one for another Jetty. Their classes have the same names, so the order
 * of the class path would choose, and the wrong one fails at its first acquire. Each artifact is known by its metadata for native images,
 * which a merged jar keeps.
 */
final class OneArtifact {
    private static final @Nullable URL FOR_12_1 =
            find("META-INF/native-image/dev.buffers/buffers-jetty121/reachability-metadata.json");
    private static final @Nullable URL FOR_12_0 =
            find("META-INF/native-image/dev.buffers/buffers-jetty120/reachability-metadata.json");

    private OneArtifact() {}

    private static @Nullable URL find(String resource) {
        return OneArtifact.class.getClassLoader().getResource(resource);
    }

    static void check(String jetty) {
        if (FOR_12_1 != null && FOR_12_0 != null) {
            throw new IllegalStateException("two artifacts for Jetty on the class path, keep one: jetty=" + jetty
                    + "; Jetty 12.1 needs buffers-jetty121, found=" + FOR_12_1
                    + "; Jetty 12.0 needs buffers-jetty120, found="
                    + FOR_12_0);
        }
        if (FOR_12_1 != null && jetty.startsWith("12.0.") || FOR_12_0 != null && jetty.startsWith("12.1.")) {
            throw new IllegalStateException("artifact for another Jetty: jetty=" + jetty
                    + "; Jetty 12.1 needs buffers-jetty121, Jetty 12.0 needs buffers-jetty120");
        }
    }
}
