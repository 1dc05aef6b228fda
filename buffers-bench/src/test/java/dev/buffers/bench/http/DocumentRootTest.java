package dev.buffers.bench.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way into the folder, and no way out of it. */
class DocumentRootTest {
    @TempDir
    private Path folder;

    private Path site;
    private DocumentRoot root;

    @BeforeEach
    void makeSite() throws IOException {
        Path real = folder.toRealPath();
        site = Files.createDirectories(real.resolve("site/sub")).getParent();
        Files.writeString(real.resolve("secret.txt"), "secret");
        Files.writeString(Files.createDirectories(real.resolve("site-2")).resolve("secret.txt"), "secret");
        Files.writeString(site.resolve("index.html"), "root");
        Files.writeString(site.resolve("sub/index.html"), "sub");
        Files.writeString(site.resolve("a b.txt"), "a b");
        Files.writeString(site.resolve("100%.txt"), "percent");
        Files.writeString(site.resolve("..."), "dots");
        Files.createSymbolicLink(site.resolve("inside"), site.resolve("sub"));
        Files.createSymbolicLink(site.resolve("outside"), real);
        Files.createSymbolicLink(site.resolve("outside.txt"), real.resolve("secret.txt"));
        Files.createSymbolicLink(site.resolve("sibling"), real.resolve("site-2"));
        Files.createSymbolicLink(site.resolve("loop"), site.resolve("loop"));
        root = new DocumentRoot(site);
    }

    @Test
    void findsFiles() throws Refusal {
        assertEquals(site.resolve("index.html"), root.find("/"));
        assertEquals(site.resolve("index.html"), root.find("/index.html?x=/../y"));
        assertEquals(site.resolve("sub/index.html"), root.find("/sub/"));
        assertEquals(site.resolve("sub/index.html"), root.find("/inside/index.html"));
        assertEquals(site.resolve("a b.txt"), root.find("/a%20b.txt"));
        assertEquals(site.resolve("100%.txt"), root.find("/100%25.txt"));
        assertEquals(site.resolve("..."), root.find("/..."));
        assertEquals(site.resolve("index.html"), root.find("http://localhost:80/index.html"));
        assertEquals(site.resolve("index.html"), root.find("HTTP://localhost"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../secret.txt",
                "/sub/../../secret.txt",
                "/sub/../index.html",
                "/./index.html",
                "/%2e%2e/secret.txt",
                "/%2E./secret.txt",
                "/..%2fsecret.txt",
                "/sub%2findex.html",
                "/%252e%252e/secret.txt",
                "/..%5csecret.txt",
                "/..\\secret.txt",
                "/sub\\index.html",
                "//etc/passwd",
                "/sub//index.html",
                "/%c0%ae%c0%ae/secret.txt",
                "/outside/secret.txt",
                "/outside.txt",
                "/sibling/secret.txt",
                "/loop",
                "/sub",
                "/missing",
                "/index.html/",
                "/index.html/x",
                "/index.html%0a",
                "http://localhost/../secret.txt"
            })
    void findsNothingElse(String target) {
        Status status = assertThrows(Refusal.class, () -> root.find(target)).status();
        assertEquals(target.contains("%c0") ? Status.BAD_REQUEST : Status.NOT_FOUND, status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "index.html",
                "*",
                "",
                "/%",
                "/%2",
                "/%zz",
                "/%+1",
                "/index.html%00",
                "/%00",
                "/a#b",
                "/\u00e9",
                "ftp://x/",
                "http:/x"
            })
    void refusesWhatIsNoPath(String target) {
        assertEquals(
                Status.BAD_REQUEST,
                assertThrows(Refusal.class, () -> root.find(target)).status());
    }

    @Test
    void refusesARootThatIsNoFolder() {
        assertThrows(IOException.class, () -> new DocumentRoot(site.resolve("index.html")));
        assertThrows(IOException.class, () -> new DocumentRoot(site.resolve("missing")));
    }
}
