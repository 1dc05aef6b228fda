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
    @DictionaryEntries({
        "GET ",
        "HEAD ",
        " HTTP/1.1\r\n",
        " HTTP/1.0\r\n",
        "\r\n\r\n",
        "Host: a\r\n",
        "Connection: close\r\n"
    })
    @DictionaryEntries({
        "Content-Length: ",
        "Transfer-Encoding: ",
        "Range: bytes=",
        "If-Range: ",
        "Expect: 100-continue\r\n"
    })
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
