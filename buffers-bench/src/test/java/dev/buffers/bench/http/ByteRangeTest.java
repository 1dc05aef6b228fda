package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Range fields for a file of 100 bytes. */
class ByteRangeTest {
    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1",
        "bytes=0-99, 0, 100",
        "bytes=10-, 10, 100",
        "bytes=90-1000, 90, 100",
        "Bytes= 5-6, 5, 7",
        "bytes=-1, 99, 100",
        "bytes=-1000, 0, 100",
        "bytes=99-999999999999999999, 99, 100"
    })
    void cutsAPart(String value, long start, long end) throws Refusal {
        assertEquals(new ByteRange(start, end), ByteRange.of(value, 100));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bytes",
                "bytes=",
                "bytes=-",
                "bytes=a-b",
                "bytes=5-4",
                "bytes=0-1,3-4",
                "lines=1-2",
                "bytes=1--2",
                "bytes=0-99999999999999999999"
            })
    void ignoresWhatItNeedNotServe(String value) throws Refusal {
        assertNull(ByteRange.of(value, 100));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=100-", "bytes=100-200", "bytes=-0"})
    void refusesWhatLiesOutside(String value) {
        assertEquals(
                Status.RANGE_NOT_SATISFIABLE,
                assertThrows(Refusal.class, () -> ByteRange.of(value, 100)).status());
    }
}
