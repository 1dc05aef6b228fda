package dev.buffers.bench.report;

import dev.buffers.bench.claims.*;
import java.nio.file.*;

public class Look {
    public static void main(String[] a) throws Exception {
        long t = System.nanoTime();
        Path p = ClaimsReport.write(MadeUp.large(), Path.of("/tmp/h8-work/large"));
        System.out.println(p + " " + Files.size(p) + " in " + (System.nanoTime() - t) / 1e9);
        System.out.println(ClaimsReport.write(MadeUp.small(Depth.QUICK), Path.of("/tmp/h8-work/small")));
        ClaimsTable.lines(MadeUp.large()).forEach(System.out::println);
        ClaimsTable.lines(MadeUp.small(Depth.FULL)).forEach(System.out::println);
        LanesTable.lines(MadeUp.large()).forEach(System.out::println);
    }
}
