package dev.buffers.bench.http;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The media type of a file, by the ending of its name. */
final class ContentTypes {
    private static final String UNKNOWN = "application/octet-stream";
    private static final Map<String, String> BY_ENDING = Map.ofEntries(
            Map.entry("css", "text/css; charset=utf-8"),
            Map.entry("csv", "text/csv; charset=utf-8"),
            Map.entry("gif", "image/gif"),
            Map.entry("htm", "text/html; charset=utf-8"),
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("jpeg", "image/jpeg"),
            Map.entry("jpg", "image/jpeg"),
            Map.entry("js", "text/javascript; charset=utf-8"),
            Map.entry("json", "application/json"),
            Map.entry("md", "text/markdown; charset=utf-8"),
            Map.entry("pdf", "application/pdf"),
            Map.entry("png", "image/png"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("txt", "text/plain; charset=utf-8"),
            Map.entry("wasm", "application/wasm"),
            Map.entry("webp", "image/webp"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("xml", "application/xml"));

    private ContentTypes() {}

    static String of(Path file) {
        String name = file.toString();
        String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return BY_ENDING.getOrDefault(ending, UNKNOWN);
    }
}
