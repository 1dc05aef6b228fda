package dev.buffers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's pages as they lie beside the modules, and the code that they quote from a test. */
final class Manual {
    private static final Path MODULE = Path.of(System.getProperty("basedir", System.getProperty("user.dir")));

    /** The project's folder. */
    static final Path ROOT = MODULE.resolve("..").normalize();

    private Manual() {}

    static String page(String name) throws IOException {
        return read(ROOT.resolve(name));
    }

    static String read(Path file) throws IOException {
        return Files.readString(file, UTF_8).replace("\r\n", "\n");
    }

    /** Every page: those beside the POM that are ours, and all under {@code docs}. */
    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
                                    .map(ROOT::resolve),
                            docs.filter(file -> file.toString().endsWith(".md")).sorted())
                    .toList();
        }
    }

    /** What stands between ``` and ``` on a page, of blocks in that language. */
    static List<String> blocks(String page, String language) {
        Matcher block = Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(page);
        List<String> blocks = new ArrayList<>();
        while (block.find()) {
            blocks.add(block.group(1));
        }
        return blocks;
    }

    /** What a test of this package shows between {@code // tag::name} and {@code // end::name}, in the order of the source. */
    static List<String> snippets(Class<?> test) throws IOException {
        Path source = MODULE.resolve("src/test/java/dev/buffers/" + test.getSimpleName() + ".java");
        Matcher snippet = Pattern.compile(
                        "^ *// tag::([a-z-]+)\n(.*?)^ *// end::\\1$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(read(source));
        List<String> snippets = new ArrayList<>();
        while (snippet.find()) {
            snippets.add(snippet.group(2).stripTrailing().stripIndent() + "\n");
        }
        assertTrue(!snippets.isEmpty(), () -> "no snippets in " + source);
        return snippets;
    }
}
