package dev.buffers.bench.http;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The files that one worker served last, kept open. Looked at again after a second: a file that was changed, replaced or taken
 * away is noticed then. Bounded in number; what was used longest ago goes first.
 */
final class OpenFiles implements AutoCloseable {
    private static final int CAPACITY = 128;
    private static final long TRUSTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final DocumentRoot root;
    private final LinkedHashMap<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    OpenFiles(DocumentRoot root) {
        this.root = root;
    }

    /** The file that {@code target} names, with one more user, who must release it. */
    OpenFile open(String target, long now) throws Refusal {
        Entry entry = entries.get(target);
        if (entry == null || now - entry.checked > TRUSTED_NANOS) {
            entry = check(target, entry, now);
        }
        return entry.file.retain();
    }

    private Entry check(String target, @Nullable Entry old, long now) throws Refusal {
        try {
            Path real = root.find(target);
            if (old != null && old.file.isStill(real)) {
                old.checked = now;
                return old;
            }
            Entry fresh = new Entry(OpenFile.open(real), now);
            forget(target);
            entries.put(target, fresh);
            evict();
            return fresh;
        } catch (Refusal e) {
            forget(target);
            throw e;
        } catch (NoSuchFileException e) {
            forget(target);
            throw new Refusal(Status.NOT_FOUND, "no such file");
        } catch (IOException e) {
            forget(target);
            throw new Refusal(Status.SERVICE_UNAVAILABLE, "cannot open the file: " + e);
        }
    }

    private void forget(String target) {
        Entry entry = entries.remove(target);
        if (entry != null) {
            entry.file.release();
        }
    }

    private void evict() {
        if (entries.size() > CAPACITY) {
            Map.Entry<String, Entry> eldest = entries.entrySet().iterator().next();
            forget(eldest.getKey());
        }
    }

    @Override
    public void close() {
        entries.values().forEach(entry -> entry.file.release());
        entries.clear();
    }

    private static final class Entry {
        final OpenFile file;
        long checked;

        Entry(OpenFile file, long checked) {
            this.file = file;
            this.checked = checked;
        }
    }
}
