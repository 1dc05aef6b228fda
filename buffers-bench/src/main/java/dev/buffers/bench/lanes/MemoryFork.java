package dev.buffers.bench.lanes;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** The main program of a {@link MemoryLane}'s fork: prints the figures as JSON. */
final class MemoryFork {
    private MemoryFork() {}

    /** Takes the lane's class and the contender. */
    public static void main(String[] args) throws Exception {
        MemoryLane lane = Class.forName(args[0])
                .asSubclass(MemoryLane.class)
                .getDeclaredConstructor()
                .newInstance();
        Map<String, Double> figures = lane.run(args[1], false);
        System.out.println(new ObjectMapper().writeValueAsString(figures));
        System.exit(0); // the threads of some contenders would keep the JVM alive
    }
}
