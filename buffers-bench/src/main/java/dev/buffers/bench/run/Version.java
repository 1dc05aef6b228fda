// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import dev.buffers.BufferPool;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} answers. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = BufferPool.class.getPackage().getImplementationVersion();
        return new String[] {
            "buffers-bench " + (version == null ? "of a build without a jar" : version) + ", Java " + Runtime.version()
        };
    }
}
