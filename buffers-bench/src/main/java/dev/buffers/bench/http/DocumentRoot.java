package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The folder that is served, and the only way from a request target to a file in it.
 *
 * <p>A target is decoded once and segment by segment; a segment that means something to a file system ({@code ..}, a slash, a
 * backslash, a control character) names no file here. What is found is resolved to its real path, which must lie under the root's
 * real path and be a regular file: a symbolic link may lead elsewhere in the folder, never out of it. Threads may share it.
 */
final class DocumentRoot {
    private static final String INDEX = "index.html";
    private static final String SCHEME = "http://";
    private static final Pattern MALFORMED = Pattern.compile("[^!-~]|#|%(?![0-9a-fA-F]{2})");

    private final Path root;

    DocumentRoot(Path root) throws IOException {
        this.root = root.toRealPath();
        if (!Files.isDirectory(this.root)) {
            throw new IOException("the document root is no directory: root=" + root);
        }
    }

    /** The real path of the file that {@code target} names. */
    Path find(String target) throws Refusal {
        String[] names = path(target).substring(1).split("/", -1);
        for (int i = 0; i < names.length; i++) {
            boolean last = i == names.length - 1;
            names[i] = last && names[i].isEmpty() ? INDEX : name(names[i]);
        }
        try {
            // In one step: resolving a long path name by name would copy its beginning again and again.
            Path path = root.resolve(String.join(root.getFileSystem().getSeparator(), names));
            Path real = path.toRealPath();
            if (real.startsWith(root) && Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
                return real;
            }
        } catch (IOException | InvalidPathException e) {
            // not there, not readable, or not a name on this file system: all the same to the client
        }
        throw notFound();
    }

    /** The path of a target in origin form or absolute form, without its query. */
    private static String path(String target) throws Refusal {
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        if (path.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            int slash = path.indexOf('/', SCHEME.length());
            if (path.length() == SCHEME.length() || slash == SCHEME.length()) {
                throw new Refusal(Status.BAD_REQUEST, "no authority in the request target");
            }
            path = slash < 0 ? "/" : path.substring(slash);
        }
        if (!path.startsWith("/") || MALFORMED.matcher(path).find()) {
            throw new Refusal(Status.BAD_REQUEST, "malformed request target, or one with bytes that are not encoded");
        }
        return path;
    }

    /** One decoded segment, if it is fit to be a file's name. */
    private static String name(String segment) throws Refusal {
        String name = segment.indexOf('%') < 0 ? segment : decode(segment);
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            throw notFound();
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == 0) {
                throw new Refusal(Status.BAD_REQUEST, "NUL in the request target");
            }
            if (c == '/' || c == '\\' || Character.isISOControl(c)) {
                throw notFound();
            }
        }
        return name;
    }

    private static String decode(String segment) throws Refusal {
        ByteBuffer bytes = ByteBuffer.allocate(segment.length());
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            if (c == '%') {
                bytes.put((byte) HexFormat.fromHexDigits(segment, i + 1, i + 3));
                i += 2;
            } else {
                bytes.put((byte) c);
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            throw new Refusal(Status.BAD_REQUEST, "request target is not UTF-8");
        }
    }

    private static Refusal notFound() {
        return new Refusal(Status.NOT_FOUND, "no such file");
    }
}
