package dev.buffers.bench.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A report as large as the real one. */
class LargeReportTest {
    private static final int MOST_BYTES = 3 << 20;

    @TempDir
    private Path folder;

    @Test
    void aPhoneCanLoadIt() throws Exception {
        Path page = ClaimsReport.write(MadeUp.large(), folder);

        assertTrue(Files.size(page) < MOST_BYTES, "bytes=" + Files.size(page));
    }
}
