package dev.buffers.bench.frameworks;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.buffers.bench.jvm.Footprint;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The main program of a framework's JVM: prints its port, and answers each line of its input with one line of JSON until the input ends.
 * The line {@link #COLLECTED} asks for the numbers after a collection.
 */
final class FrameworkProgram {
    static final String COLLECTED = "collected";

    private FrameworkProgram() {}

    /** Takes the framework, the pool, the work and the folder. */
    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        boolean ours = FrameworkServer.OURS.equals(args[1]);
        Contents contents = new Contents(Path.of(args[3]));
        ObjectMapper json = new ObjectMapper();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Embedded server = Framework.named(args[0]).start(contents, Work.named(args[2]), ours)) {
            System.out.println(server.port());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Footprint footprint = line.equals(COLLECTED) ? Footprint.collected() : Footprint.now();
                System.out.println(json.writeValueAsString(FrameworkNumbers.of(server.pools(), footprint)));
            }
        }
        System.exit(0); // the threads of some frameworks would keep the JVM alive
    }
}
