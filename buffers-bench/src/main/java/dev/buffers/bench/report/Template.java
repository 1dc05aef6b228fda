package dev.buffers.bench.report;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Mustache.Compiler;
import com.samskivert.mustache.Mustache.Escaper;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A mustache template that stands beside the class that fills it, and may include others from there or from beside this class. */
public final class Template {
    private final Class<?> owner;
    private final String name;

    public Template(Class<?> owner, String name) {
        this.owner = owner;
        this.name = name;
    }

    /** Fills it as HTML: texts are escaped, and an empty one counts as false. */
    public String html(Object page) throws IOException {
        return fill(Mustache.compiler(), page);
    }

    /** Fills it as another kind of text. */
    public String text(Object page, Escaper escaper) throws IOException {
        return fill(Mustache.compiler().withEscaper(escaper), page);
    }

    private String fill(Compiler compiler, Object page) throws IOException {
        try (Reader reader = open(name)) {
            return compiler.emptyStringIsFalse(true)
                    .zeroIsFalse(true)
                    .withLoader(this::open)
                    .compile(reader)
                    .execute(page);
        }
    }

    private Reader open(String template) {
        InputStream own = owner.getResourceAsStream(template);
        @Nullable InputStream found = own != null ? own : Template.class.getResourceAsStream(template);
        return new InputStreamReader(Objects.requireNonNull(found, template), StandardCharsets.UTF_8);
    }
}
