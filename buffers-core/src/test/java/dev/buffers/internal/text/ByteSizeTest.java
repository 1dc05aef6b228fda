// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.buffers.support.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

    private static long parse(String text) {
        return ByteSize.parse(text, 0, Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "16709, 16709",
        "8k, 8192",
        "8K, 8192",
        "64m, 67108864",
        "64M, 67108864",
        "3g, 3221225472",
        "3G, 3221225472",
        "9223372036854775807, 9223372036854775807"
    })
    void readsPlainBytesAndBinaryUnits(String text, long bytes) {
        assertEquals(bytes, parse(text));
    }

    /** Powers of two, as in Spring's {@code DataSize}, whatever follows the letter. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "64m",
                "64M",
                "64mb",
                "64MB",
                "64Mb",
                "64mi",
                "64Mi",
                "64MiB",
                "64mib",
                "64MIB",
                "65536kB",
                "65536Ki",
                "65536KiB",
                "67108864B",
                "67108864b"
            })
    void everySpellingOfAUnitIsBinary(String text) {
        assertEquals(64 << 20, parse(text));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1000, 1000", "1024, 1k", "1536, 1536", "262144, 256k", "1048576, 1m", "3221225472, 3g"})
    void writesTheShortestExactSpelling(long bytes, String text) {
        assertEquals(text, ByteSize.text(bytes));
        assertEquals(bytes, parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "k",
                "mb",
                "64 k",
                "64 MB",
                "64i",
                "64iB",
                "64mm",
                "64Mbit",
                "64mbb",
                "64ſ",
                "64\u212a",
                "1t",
                "1TB",
                "1.5m",
                "0x10",
                "1e6",
                "+1",
                "1_000",
                "٣"
            })
    void refusesMalformedNumbersOfBytes(String text) {
        assertEquals("is not a number of bytes", Refusal.of(() -> parse(text)));
    }

    @Test
    void refusesNegativeNumbers() {
        assertEquals("is negative", Refusal.of(() -> parse("-1")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "9007199254740992k", "8589934592g", "99999999999999999999999"})
    void refusesMoreThanALongHolds(String text) {
        Refusal.of(() -> parse(text), "is larger than 9223372036854775807 bytes");
    }

    @Test
    void saysThatOnlyMaxMayBeAPercentage() {
        Refusal.of(() -> parse("50%"), "only buffers.max may be");
    }

    @Test
    void refusesNumbersOutOfRange() {
        assertEquals(4096, ByteSize.parse("4k", 4096, 8192));
        assertEquals(8192, ByteSize.parse("8k", 4096, 8192));
        assertEquals("is too small", Refusal.of(() -> ByteSize.parse("4095", 4096, 8192)));
        assertEquals("is too large", Refusal.of(() -> ByteSize.parse("8193", 4096, 8192)));
    }
}
