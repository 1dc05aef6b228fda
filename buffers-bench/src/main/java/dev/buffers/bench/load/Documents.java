// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The files of a folder and how often each is asked for: the larger, the rarer, by the square root of the size. With sizes spread
 * evenly on a logarithmic scale the mean answer then is as large as the geometric mean of the smallest and the largest.
 */
public record Documents(List<Document> all) {
    private static final int MAX_FILES = 1000;
    private static final long MAX_SIZE = 16 << 20;
    private static final long MIN_WEIGHED_SIZE = 200;

    /** Reads the first thousand files of up to 16 MiB, links and what cannot be read left out. */
    public static Documents of(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            List<Document> documents = files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .filter(file -> Files.isReadable(file) && file.toFile().length() <= MAX_SIZE)
                    .limit(MAX_FILES)
                    .sorted()
                    .map(file -> document(root, file))
                    .toList();
            if (documents.isEmpty()) {
                throw new IOException("no files to ask for: root=" + root);
            }
            return new Documents(documents);
        } catch (UncheckedIOException e) {
            throw new IOException("cannot read the files: root=" + root, e);
        }
    }

    private static Document document(Path root, Path file) {
        try {
            byte[] content = Files.readAllBytes(file);
            CRC32C checksum = new CRC32C();
            checksum.update(content);
            String target = "/" + root.toUri().relativize(file.toUri()).getRawPath();
            return new Document(target, content.length, checksum.getValue());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long bytes() {
        return all.stream().mapToLong(Document::size).sum();
    }

    /** A sequence of indexes into {@link #all}, the same for the same seed. */
    int[] draw(int length, long seed) {
        double[] upTo = new double[all.size()];
        double sum = 0;
        for (int i = 0; i < upTo.length; i++) {
            sum += 1 / Math.sqrt((double) Math.max(MIN_WEIGHED_SIZE, all.get(i).size()));
            upTo[i] = sum;
        }
        SplittableRandom random = new SplittableRandom(seed);
        int[] indexes = new int[length];
        for (int i = 0; i < length; i++) {
            int found = Arrays.binarySearch(upTo, random.nextDouble() * sum);
            indexes[i] = Math.min(found < 0 ? -found - 1 : found, upTo.length - 1);
        }
        return indexes;
    }
}
