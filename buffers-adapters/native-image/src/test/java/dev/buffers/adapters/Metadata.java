// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.adapters;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A {@code reachability-metadata.json}, by the part that we use of its schema 1.2.0 (GraalVM for JDK 25). Whatever else stands in a file,
 * or is of another type, is an error.
 */
record Metadata(String comment, List<Type> reflection, List<Resource> resources) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    Metadata {
        Objects.requireNonNull(comment, "comment");
        reflection = reflection == null ? List.of() : List.copyOf(reflection);
        resources = resources == null ? List.of() : List.copyOf(resources);
    }

    static Metadata read(Path file) throws IOException {
        return JSON.readValue(Files.readString(file), Metadata.class);
    }

    /** What reflection may reach of a type. */
    record Type(TypeName type, List<Method> methods, List<Field> fields, boolean allPublicMethods) {
        Type {
            Objects.requireNonNull(type, "type");
            methods = methods == null ? List.of() : List.copyOf(methods);
            fields = fields == null ? List.of() : List.copyOf(fields);
        }
    }

    /** A class by its name, or a proxy by those of its interfaces. */
    record TypeName(boolean proxy, List<String> names) {
        @JsonCreator
        static TypeName of(JsonNode json) {
            if (json.isTextual()) {
                return new TypeName(false, List.of(json.textValue()));
            }
            if (!json.isObject() || json.size() != 1 || !json.path("proxy").isArray()) {
                throw new IllegalArgumentException("neither a name nor a proxy: type=" + json);
            }
            List<String> names = new ArrayList<>();
            for (JsonNode name : json.get("proxy")) {
                if (!name.isTextual()) {
                    throw new IllegalArgumentException("not a name: proxy=" + json);
                }
                names.add(name.textValue());
            }
            return new TypeName(true, names);
        }
    }

    /** A method or, as {@code <init>}, a constructor. */
    record Method(String name, List<String> parameterTypes) {
        Method {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(parameterTypes, "parameterTypes");
        }
    }

    /** A field. */
    record Field(String name) {
        Field {
            Objects.requireNonNull(name, "name");
        }
    }

    /** Resources of that name. */
    record Resource(String glob) {
        Resource {
            Objects.requireNonNull(glob, "glob");
        }
    }
}
