package dev.buffers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every relative link of every page leads to a file of this project. */
class DocLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*|#.*");

    @Test
    void everyRelativeLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : Manual.pages()) {
            Matcher link = LINK.matcher(Manual.read(page));
            while (link.find()) {
                String target = link.group(1);
                if (!ELSEWHERE.matcher(target).matches()) {
                    links++;
                    Path file = page.resolveSibling(target.replaceFirst("#.*", ""))
                            .toAbsolutePath()
                            .normalize();
                    if (!file.startsWith(Manual.ROOT.toAbsolutePath()) || !Files.exists(file)) {
                        broken.add(Manual.ROOT.relativize(page) + ": " + target);
                    }
                }
            }
        }
        assertEquals(List.of(), broken);
        assertTrue(links > 20, "links found: " + links);
    }

    @Test
    void everyDecisionIsShort() throws IOException {
        for (Path page : Manual.pages()) {
            if (page.getParent().endsWith("decisions")) {
                int words = Manual.read(page).strip().split("\\s+").length;
                assertTrue(words <= 300, () -> page.getFileName() + " has words: " + words);
            }
        }
    }
}
