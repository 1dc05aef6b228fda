package dev.buffers.bench.claims;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parameters as a row of a table writes them: {@code "sink=file,socket size=512"} is all combinations of these values. */
final class Grid {
    private Grid() {}

    /** Each combination, its parameters in the order of the text. An empty text is the one combination of nothing. */
    static List<Map<String, String>> of(String text) {
        List<Map<String, String>> all = new ArrayList<>(List.of(Map.of()));
        for (String part : text.isBlank() ? new String[0] : text.strip().split("\\s+", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("not NAME=VALUE,VALUE: " + part);
            }
            List<Map<String, String>> more = new ArrayList<>();
            for (Map<String, String> one : all) {
                for (String value : part.substring(equals + 1).split(",", -1)) {
                    Map<String, String> longer = new LinkedHashMap<>(one);
                    longer.put(part.substring(0, equals), value);
                    more.add(longer);
                }
            }
            all = more;
        }
        return all;
    }

    /** Its values, for people. */
    static String label(Map<String, String> parameters) {
        return String.join(", ", parameters.values());
    }
}
