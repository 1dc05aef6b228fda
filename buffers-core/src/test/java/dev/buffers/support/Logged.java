// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What the library says to the log in the meantime of the pools whose names begin like this, kept from the console with all else. Pools of
 * earlier tests may have something to say too.
 */
public final class Logged extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("dev.buffers");
    private final boolean inherits = logger.getUseParentHandlers();
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final String of;
    private final Consumer<LogRecord> then;

    public Logged(String pools) {
        this(pools, record -> {});
    }

    /** Passes on each record, and whatever the action throws to the code that logs. */
    public Logged(String pools, Consumer<LogRecord> then) {
        of = "pool=" + pools;
        this.then = then;
        setLevel(Level.ALL);
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    public List<LogRecord> records() {
        return records;
    }

    /** The messages that say so. */
    public List<String> lines(String part) {
        return records.stream()
                .map(LogRecord::getMessage)
                .filter(message -> message.contains(part))
                .toList();
    }

    @Override
    public void publish(LogRecord record) {
        if (record.getMessage().contains(of)) {
            records.add(record);
            then.accept(record);
        }
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(inherits);
    }
}
