// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import dev.buffers.support.Manual;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A figure of a connection that waits in the {@code results.json} of the committed run, over all JVMs of one side. */
record Spread(int runs, double median, double least, double most) {
    static final String RUN = "2026-11-29-waiting";

    /** The same on JDK 25. */
    static final String LATER_JDK = "2026-11-29-waiting-jdk25";

    /** Tomcat alone, with settings that make its buffers small. */
    static final String SETTINGS = "2026-11-29-tomcat-settings";

    private static final Pattern SPREAD = Pattern.compile("\"cell\" ?: ?\"([^\"]+)\",\\s*\"side\" ?: ?\"([^\"]+)\",\\s*"
            + "\"figure\" ?: ?\"(\\w+)\",\\s*\"runs\" ?: ?(\\d+),\\s*"
            + "\"median\" ?: ?([-\\d.E]+),\\s*\"least\" ?: ?([-\\d.E]+),\\s*\"most\" ?: ?([-\\d.E]+)");

    private static final Map<String, Map<String, Spread>> ALL = new HashMap<>();

    /** Of a side of a cell; none where the server cannot wait so. */
    static Optional<Spread> of(String cell, String side, String figure) throws IOException {
        return of(RUN, cell, side, figure);
    }

    /** The same of another run. */
    static synchronized Optional<Spread> of(String run, String cell, String side, String figure) throws IOException {
        Map<String, Spread> all = ALL.computeIfAbsent(run, unread -> new HashMap<>());
        if (all.isEmpty()) {
            Matcher found = SPREAD.matcher(Manual.page("docs/benchmarks/" + run + "/results.json"));
            while (found.find()) {
                all.put(
                        key(found.group(1), found.group(2), found.group(3)),
                        new Spread(
                                Integer.parseInt(found.group(4)),
                                Double.parseDouble(found.group(5)),
                                Double.parseDouble(found.group(6)),
                                Double.parseDouble(found.group(7))));
            }
        }
        return Optional.ofNullable(all.get(key(cell, side, figure)));
    }

    private static String key(String cell, String side, String figure) {
        return cell + "; " + side + "; " + figure;
    }

    /** The median and the range of more than one. */
    String text() {
        return runs == 1
                ? String.format(Locale.ROOT, "%,.0f", median)
                : String.format(Locale.ROOT, "%,.0f (%,.0f to %,.0f)", median, least, most);
    }
}
