// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.support.Jdk;
import dev.buffers.support.Manual;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tutorial, followed as written: its files are those of docs/tutorial, and they compile without a warning. The programs that its
 * commands start, each in a separate JVM, print and answer as the page shows. Maven's part is played by the class path.
 */
class TutorialTest {
    private static final Path PROJECT = Manual.ROOT.resolve("docs/tutorial");
    private static final Path CODE = PROJECT.resolve("src/main/java/example");
    private static final String LIBRARY = Arrays.stream(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.contains("jctools-core") || Files.exists(Path.of(entry, "module-info.class")))
            .collect(Collectors.joining(File.pathSeparator));

    @TempDir
    Path dir;

    private Process program;

    @AfterEach
    void stop() throws InterruptedException {
        if (program != null) {
            program.destroy();
            assertTrue(program.waitFor(30, TimeUnit.SECONDS));
        }
    }

    private static String page() throws IOException {
        return Manual.page("docs/tutorial.md");
    }

    @Test
    void itsFilesStandOnThePageOneAfterTheOther() throws IOException {
        assertEquals(List.of(Manual.read(PROJECT.resolve("pom.xml"))), Manual.blocks(page(), "xml"));
        List<String> files = new ArrayList<>();
        for (String name : List.of("First", "Connection", "Server")) {
            assertTrue(page().contains("`src/main/java/example/" + name + ".java`:\n"), name);
            files.add(Manual.read(CODE.resolve(name + ".java")));
        }
        assertEquals(files, Manual.blocks(page(), "java"));
    }

    @Test
    void itsPomUsesThePluginsOfThisBuildAndRunsTheServer() throws IOException {
        String pom = Manual.read(PROJECT.resolve("pom.xml"));
        String ours = Manual.page("pom.xml");
        Matcher plugin = Pattern.compile("<artifactId>([a-z-]+-plugin)</artifactId>\\s*<version>(.*?)</version>")
                .matcher(pom);
        int plugins = 0;
        for (; plugin.find(); plugins++) {
            String same =
                    "<artifactId>" + plugin.group(1) + "</artifactId>\\s*<version>" + plugin.group(2) + "</version>";
            assertTrue(Pattern.compile(same).matcher(ours).find(), plugin.group());
        }
        assertEquals(2, plugins);
        assertTrue(pom.contains("<exec.mainClass>example.Server</exec.mainClass>"));
        assertTrue(pom.contains("<maven.compiler.release>17</maven.compiler.release>"));
    }

    @Test
    void commandsOfThePagePrintTheShownOutput() throws Exception {
        compile();
        Iterator<String> shown = Manual.blocks(page(), "text").iterator();
        List<String> commands =
                Manual.blocks(page(), "sh").stream().flatMap(String::lines).toList();
        String server = "";
        for (String command : commands) {
            if (command.equals("mvn -q -ntp -Dmaven.test.skip install")) {
                assertEquals("", server, "until the first release it comes first"); // this build stands for it
            } else if (command.contains("-Dexec.mainClass=")) {
                assertEquals(shown.next(), output(start(command)));
            } else if (command.startsWith("mvn -q compile exec:java")) {
                stop();
                server = firstLine(start(command));
                if (command.equals("mvn -q compile exec:java")) {
                    assertEquals(shown.next(), server.replaceFirst("[0-9]+/$", "8080/") + "\n");
                }
            } else {
                assertTrue(command.startsWith("curl http://127.0.0.1:8080/"), command);
                int port = Integer.parseInt(server.replaceAll(".*:|/", ""));
                String answer = get(port, command.replaceFirst(".*8080", ""));
                assertShown(
                        shown.next(), answer.isEmpty() ? errors() : answer.substring(answer.indexOf("\r\n\r\n") + 4));
            }
        }
        assertTrue(!shown.hasNext());
    }

    /** On one connection, which stays open: a request's head may be as large as max-input, whatever came before. */
    @Tag("full")
    @Test
    void itsServerAnswersHeadsOfAnySize() throws Exception {
        compile();
        String first = firstLine(start("mvn -q compile exec:java"));
        Random random = new Random(11);
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(first.replaceAll(".*:|/", "")))) {
            socket.setSoTimeout(30_000);
            DataInputStream answers = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            for (int i = 0; i < 60; i++) {
                int size = i % 5 == 0 ? random.nextInt(60_000) : random.nextInt(300);
                String head = "GET / HTTP/1.1\r\nX-Filler: " + "x".repeat(size) + "\r\n\r\n";
                socket.getOutputStream().write(head.getBytes(US_ASCII));
                assertTrue(
                        answer(answers).startsWith("pool web\n"),
                        () -> "after a head with " + size + " bytes of filler");
            }
        }
    }

    /** The body of the next answer. */
    @SuppressWarnings("deprecation") // lines of ASCII
    private static String answer(DataInputStream answers) throws IOException {
        int length = -1;
        for (String line = answers.readLine(); line != null && !line.isEmpty(); line = answers.readLine()) {
            length = line.startsWith("Content-Length: ") ? Integer.parseInt(line.substring(16)) : length;
        }
        return new String(answers.readNBytes(Math.max(0, length)), US_ASCII);
    }

    private void compile() throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("--release", "17", "-Xlint:all", "-Werror", "-d", dir.toString(), "-cp", LIBRARY));
        for (String name : List.of("First", "Connection", "Server")) {
            arguments.add(CODE.resolve(name + ".java").toString());
        }
        assertEquals("", Jdk.run("javac", arguments.toArray(new String[0])));
    }

    /** With the options of such a command; a server on any free port. */
    private Process start(String command) throws IOException {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", dir + File.pathSeparator + LIBRARY));
        Arrays.stream(command.split(" "))
                .filter(word -> word.startsWith("-Dbuffers."))
                .forEach(line::add);
        Matcher main = Pattern.compile("-Dexec.mainClass=(\\S+)").matcher(command);
        line.addAll(main.find() ? List.of(main.group(1)) : List.of("example.Server", "0"));
        program = new ProcessBuilder(line)
                .redirectError(dir.resolve("errors").toFile())
                .start();
        return program;
    }

    private String output(Process ends) throws IOException {
        return new String(ends.getInputStream().readAllBytes(), UTF_8).replace("\r\n", "\n");
    }

    private String errors() throws IOException {
        return Files.readString(dir.resolve("errors"), UTF_8).replace("\r\n", "\n");
    }

    private static String firstLine(Process server) throws IOException {
        StringBuilder line = new StringBuilder();
        InputStream out = server.getInputStream();
        for (int c = out.read(); c != '\n'; c = out.read()) {
            assertTrue(c >= 0, () -> "the server has ended: " + line);
            line.append((char) c);
        }
        return line.toString().strip();
    }

    /** The whole answer; empty when there was none. */
    private static String get(int port, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").getBytes(US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    /** Line by line, where {@code ...} stands for any number of lines. */
    private static void assertShown(String shown, String real) {
        String pattern = shown.lines()
                .map(line -> line.equals("...") ? "(.*\n)*" : Pattern.quote(line) + "\n")
                .collect(Collectors.joining());
        assertTrue(real.matches(pattern), () -> "shown:\n" + shown + "in fact:\n" + real);
    }
}
