package dev.buffers.bench.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The {@code Date} line of responses, formatted once a second. Each worker has its own. */
final class HttpDate {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private long second = -1;
    private byte[] line = {};

    /** The whole line, its end included. The array is not to be changed. */
    byte[] line() {
        long now = System.currentTimeMillis() / 1000;
        if (now != second) {
            second = now;
            line = Ascii.bytes("Date: " + format(Instant.ofEpochSecond(now)) + "\r\n");
        }
        return line;
    }

    static String format(Instant instant) {
        return FORMAT.format(instant);
    }
}
