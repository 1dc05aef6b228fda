// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.metrics;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The port of the loopback interface that meters are shown on: what the option {@code --metrics[=PORT]} asks for.
 *
 * @param number 0 for any free one
 */
public record MetricsPort(int number) {
    /** Of the commands that have it. */
    public static final String OPTION = "--metrics";

    private static final int LAST = 65_535;

    public MetricsPort {
        if (number < 0 || number > LAST) {
            throw notAPort(String.valueOf(number));
        }
    }

    /** Reads what a user wrote. */
    public static MetricsPort of(String text) {
        if (!text.matches("\\d{1,5}")) {
            throw notAPort(text);
        }
        return new MetricsPort(Integer.parseInt(text));
    }

    private static IllegalArgumentException notAPort(String text) {
        return new IllegalArgumentException(
                "neither a port (1 to " + LAST + ") nor 0, for any free one: metrics=" + text);
    }

    /** The port of another server, so many further on; any free one remains any free one. */
    public MetricsPort plus(int further) {
        return number == 0 ? this : new MetricsPort(number + further);
    }

    /** As an argument of a command. */
    public String option() {
        return OPTION + "=" + number;
    }

    /** Reads the option. */
    public static final class Converter implements ITypeConverter<MetricsPort> {
        @Override
        public MetricsPort convert(String text) {
            try {
                return of(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
