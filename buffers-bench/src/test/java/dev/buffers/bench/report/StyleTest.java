package dev.buffers.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.bench.page.Template;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every colour that carries a word or a figure stands out from what is behind it, light and dark: WCAG's contrast of 4.5. */
class StyleTest {
    private static final Pattern COLOUR = Pattern.compile("--(\\w+): (#[0-9a-f]{6})");
    private static final double ENOUGH = 4.5;

    @Test
    void lightAndDarkCanBeRead() throws Exception {
        Map<String, String> light = new HashMap<>();
        Map<String, String> dark = new HashMap<>();
        for (String sheet : List.of("style.css", "claims.css")) {
            String css = new Template(ClaimsReport.class, sheet).html(Map.of());
            int split = css.indexOf("@media (prefers-color-scheme: dark)");
            light.putAll(colours(css.substring(0, split)));
            dark.putAll(colours(css.substring(split)));
        }

        assertEquals(light.keySet(), dark.keySet());
        assertEquals(
                Marks.COLOURS,
                light.keySet().stream().filter(name -> name.matches("s\\d")).count());
        check(light);
        check(dark);
    }

    private static void check(Map<String, String> colours) {
        List<String> behind = List.of("page", "card", "band");
        colours.forEach((name, colour) -> {
            if (!behind.contains(name) && !name.equals("line")) {
                for (String back : behind) {
                    double contrast = contrast(colour, colours.getOrDefault(back, "none"));
                    assertTrue(contrast >= ENOUGH, name + " on " + back + ": " + contrast);
                }
            }
        });
    }

    private static Map<String, String> colours(String css) {
        Map<String, String> colours = new HashMap<>();
        for (Matcher matcher = COLOUR.matcher(css); matcher.find(); ) {
            colours.put(matcher.group(1), matcher.group(2));
        }
        return colours;
    }

    private static double contrast(String one, String other) {
        double a = luminance(one) + 0.05;
        double b = luminance(other) + 0.05;
        return Math.max(a, b) / Math.min(a, b);
    }

    private static double luminance(String colour) {
        return 0.2126 * linear(colour, 1) + 0.7152 * linear(colour, 3) + 0.0722 * linear(colour, 5);
    }

    private static double linear(String colour, int from) {
        double share = Integer.parseInt(colour.substring(from, from + 2), 16) / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }
}
