// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.docs;

import dev.buffers.support.Manual;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The house's rules for written English, as far as a pattern can see them. Each method returns one line per finding. */
final class Prose {
    static final int LONGEST_SENTENCE = 35;

    /** How many words the sentences of a page may have on average; headings, cells and links alone are no sentences. */
    static final int MEAN_SENTENCE = 16;

    static final int LONGEST_LINE = 120;

    /** What to drop, and what to write instead. */
    private static final Map<String, Pattern> DROPPED = new TreeMap<>(Map.ofEntries(
            dropped("of (its own|one's own|ours|theirs)", "say \"separate\" or \"our\", or drop it"),
            dropped("for ever", "say \"permanently\""),
            dropped("meanwhile", "say \"in the meantime\""),
            dropped("beforehand", "say \"before\""),
            dropped("seldom", "say \"rarely\""),
            dropped("to be had", "say \"available\""),
            dropped("(is|are|was|were) no more(?! than)", "say \"has been collected\", or what happened"),
            dropped("mend(s|ed|ing)?", "say \"fix\""),
            dropped("(is|are|was|were|be|been|being) told", "say \"is notified\", or who reports what"),
            dropped("somebody|nobody|whoever|who wants", "name the thread, the caller or the client"),
            dropped("what (is|are|was|were|has|had|of|no|comes|goes|came|went)", "put a noun for the clause")));

    /** Any of them: most texts have none. */
    private static final Pattern ANY = Pattern.compile(
            DROPPED.values().stream().map(Pattern::pattern).collect(Collectors.joining("|")), Pattern.CASE_INSENSITIVE);

    private static final Pattern LINE_END = Pattern.compile("\\s*\n\\s*(//|\\*)?\\s*");
    private static final Pattern TEST = Pattern.compile("^ +(?:public )?void (\\w+)\\(", Pattern.MULTILINE);
    private static final Pattern DROPPED_IN_NAMES =
            Pattern.compile("\\b(it|what|who|somebody|nobody|whoever|one that|one who|the one)\\b");

    /** A string, a character, or a comment; lines of // that follow each other are one. */
    private static final Pattern JAVA_TEXT = Pattern.compile("\"\"\"(?s:.*?)\"\"\""
            + "|\"[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+\""
            + "|'(?:\\\\.|[^'\\\\])+'"
            + "|//[^\n]*(?:\n *//[^\n]*)*"
            + "|/\\*(?s:.*?)\\*/");

    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?][)\"]?) +(?=[\\p{Lu}\\d\"(])");

    private Prose() {}

    private static Map.Entry<String, Pattern> dropped(String pattern, String instead) {
        return Map.entry(instead, Pattern.compile("\\b(?:" + pattern + ")\\b", Pattern.CASE_INSENSITIVE));
    }

    /** Dropped words, long sentences and long lines of a Markdown page; code and the width of tables aside. */
    static List<String> page(String page) {
        List<String> findings = new ArrayList<>();
        String prose = Manual.withoutCode(page);
        prose.lines()
                .filter(line -> line.length() > LONGEST_LINE && !line.startsWith("|"))
                .forEach(line -> findings.add("line of " + line.length() + " characters: " + line));
        List<Long> lengths = new ArrayList<>();
        for (String text : texts(prose)) {
            words(text, findings);
            for (String sentence : SENTENCE_END.split(text)) {
                long words = Stream.of(sentence.split(" "))
                        .filter(word -> word.matches(".*[\\p{L}\\d].*"))
                        .count();
                if (words > LONGEST_SENTENCE) {
                    findings.add("sentence of " + words + " words: " + sentence);
                }
                if (sentence.matches("(?s).*[.!?:][)\"]?")) {
                    lengths.add(words);
                }
            }
        }
        double mean = lengths.stream().mapToLong(Long::longValue).average().orElse(0);
        if (mean > MEAN_SENTENCE) {
            findings.add("sentences of " + Math.round(mean) + " words on average");
        }
        return findings;
    }

    /** Dropped words in the comments of a Java file, in the names of its tests, and in its strings unless it is test code. */
    static List<String> java(String source, boolean test) {
        List<String> findings = new ArrayList<>();
        for (MatchResult text : JAVA_TEXT.matcher(source).results().toList()) {
            boolean comment = text.group().startsWith("/");
            if (comment || !test) {
                words(LINE_END.matcher(text.group()).replaceAll(" "), findings);
            }
        }
        if (test) {
            for (MatchResult name : TEST.matcher(source).results().toList()) {
                String words = name.group(1).replaceAll("(?=\\p{Lu})", " ").toLowerCase(Locale.ROOT);
                if (DROPPED_IN_NAMES.matcher(words).find()) {
                    findings.add("test name: " + name.group(1));
                }
            }
        }
        return findings;
    }

    private static void words(String text, List<String> findings) {
        if (!ANY.matcher(text).find()) {
            return;
        }
        DROPPED.forEach((instead, pattern) -> {
            Matcher found = pattern.matcher(text);
            while (found.find()) {
                findings.add("\"" + found.group() + "\", " + instead + ": " + around(text, found));
            }
        });
    }

    private static String around(String text, MatchResult found) {
        return text.substring(Math.max(0, found.start() - 40), Math.min(text.length(), found.end() + 40));
    }

    /** Paragraphs, items, headings and cells, each on one line, with the text of links alone and a word for inline code. */
    private static List<String> texts(String prose) {
        String plain = prose.replaceAll("(?s)<!--.*?-->", "")
                .replaceAll("`[^`]+`", "X")
                .replaceAll("!?\\[([^]]*)]\\([^)]*\\)", "$1")
                .replaceAll("[*_]{2}", "");
        List<String> texts = new ArrayList<>();
        for (String block : plain.split("\n\\s*\n|\n(?=\\s*(?:[-*]|\\d+\\.|#+|\\|) ?)")) {
            String text =
                    block.replaceFirst("^\\s*(?:[-*]|\\d+\\.|#+) +", "").strip().replaceAll("\\s+", " ");
            texts.addAll(List.of(block.strip().startsWith("|") ? text.split("\\|") : new String[] {text}));
        }
        return texts.stream().map(String::strip).toList();
    }
}
