// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the server wants to know of one request's head.
 *
 * @param target the request target as it came, still encoded
 * @param keepAlive whether the client lets the connection live on
 * @param contentLength bytes of body that follow the head
 * @param expects whether the client asked for an interim answer before it sends its body
 */
record Request(Method method, String target, boolean keepAlive, long contentLength, boolean expects) {
    /*
     * Reading is strict where leniency would let two servers read one stream differently: no folding, no space before a colon, one
     * Host, at most one Content-Length, no Transfer-Encoding.
     */

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final Pattern LINE = Pattern.compile("(" + TOKEN + ") ([!-~]+) HTTP/(\\d)\\.(\\d)");
    private static final Pattern NAME = Pattern.compile(TOKEN);
    private static final Pattern HOST = Pattern.compile("[!-~&&[^,/\\\\@?#]]*");

    /** More digits than any body has bytes, and few enough for a long. */
    private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");

    private static final Set<String> FIELDS =
            Set.of("host", "connection", "content-length", "transfer-encoding", "expect");

    /** The methods that matter to a server of files: the two it answers, and all others. */
    enum Method {
        GET,
        HEAD,
        OTHER;

        static Method of(String name) {
            return name.equals("GET") ? GET : name.equals("HEAD") ? HEAD : OTHER;
        }
    }

    /** Reads a head without its empty last line; each of its lines has its end. */
    static Request read(String head) throws Refusal {
        int end = head.indexOf("\r\n");
        Matcher line = LINE.matcher(head).region(0, end);
        if (!line.matches()) {
            throw new Refusal(Status.BAD_REQUEST, "malformed request line");
        }
        if (!line.group(3).equals("1")) {
            throw new Refusal(Status.VERSION_NOT_SUPPORTED, "major version: " + line.group(3));
        }
        boolean old = line.group(4).equals("0");
        Map<String, String> fields = fields(head, end + 2);
        check(fields, old);
        String connection = fields.getOrDefault("connection", "");
        return new Request(
                Method.of(line.group(1)),
                line.group(2),
                !lists(connection, "close") && (!old || lists(connection, "keep-alive")),
                Long.parseLong(fields.getOrDefault("content-length", "0")),
                fields.containsKey("expect"));
    }

    /** Those that the server acts on; the values of one that comes again are joined by commas (RFC 9110 section 5.3). */
    private static Map<String, String> fields(String head, int from) throws Refusal {
        Map<String, String> fields = new HashMap<>();
        int end;
        for (int at = from; at < head.length(); at = end + 2) {
            end = head.indexOf("\r\n", at);
            int colon = head.indexOf(':', at);
            if (colon < 0
                    || colon > end
                    || !NAME.matcher(head).region(at, colon).matches()) {
                throw new Refusal(Status.BAD_REQUEST, "malformed header name, or a folded line");
            }
            String name = head.substring(at, colon).toLowerCase(Locale.ROOT);
            if (FIELDS.contains(name)) {
                fields.merge(name, head.substring(colon + 1, end).strip(), (one, other) -> one + ", " + other);
            }
        }
        return fields;
    }

    /** The rules that keep a request from being two. A field that came twice has a comma in its value. */
    private static void check(Map<String, String> fields, boolean old) throws Refusal {
        String host = fields.get("host");
        if (host != null && !HOST.matcher(host).matches()) {
            throw new Refusal(Status.BAD_REQUEST, "malformed Host, or more than one");
        }
        String length = fields.get("content-length");
        if (length != null && !LENGTH.matcher(length).matches()) {
            throw new Refusal(Status.BAD_REQUEST, "malformed Content-Length, or more than one");
        }
        if (fields.containsKey("transfer-encoding")) {
            boolean smuggling = length != null || old;
            throw new Refusal(smuggling ? Status.BAD_REQUEST : Status.NOT_IMPLEMENTED, "Transfer-Encoding");
        }
        if (host == null && !old) {
            throw new Refusal(Status.BAD_REQUEST, "no Host");
        }
    }

    /** Whether an option is among those of a list that is separated by commas. */
    private static boolean lists(String value, String option) {
        for (String one : value.split(",", -1)) {
            if (one.strip().equalsIgnoreCase(option)) {
                return true;
            }
        }
        return false;
    }
}
