// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Jazzer on {@link FuzzedRequests}. */
class RequestsFuzz {
    @TempDir
    private static Path folder;

    private static FuzzedRequests requests;

    @BeforeAll
    static void open() throws IOException {
        requests = new FuzzedRequests(folder);
    }

    @AfterAll
    static void close() {
        requests.close();
    }

    @FuzzTest
    // Words without line ends, which Jazzer's dictionary cannot hold; the corpus has those.
    @DictionaryEntries({"GET ", "HEAD ", " HTTP/1.1", " HTTP/1.0", "Host: a", "Connection: close", "Content-Length: "})
    @DictionaryEntries({"Transfer-Encoding: ", "Expect: 100-continue"})
    @DictionaryEntries({
        "/index.html",
        "/sub/",
        "/inside/",
        "/outside/",
        "..",
        "%2e%2e",
        "%2f",
        "%5c",
        "%00",
        "%c0%ae",
        "http://"
    })
    void requests(byte[] input) throws IOException {
        requests.run(input);
    }
}
