package dev.buffers.internal.settings;

import dev.buffers.BufferPolicy;
import dev.buffers.internal.memory.BuiltInPolicy;
import dev.buffers.internal.text.Spelling;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds the policy for a name: a built-in one, or a provider that {@link ServiceLoader} finds with the given class loaders.
 *
 * <p>A provider that fails or has an unusable name matters only to a pool whose policy is not found otherwise: the message then mentions
 * it. Two policies with one name matter only to a pool that asks for that name.
 */
final class PolicyLookup {

    /** A broken class path can make every further attempt fail; this many failures are enough for the message. */
    private static final int MOST_FAILURES = 32;

    private final Map<String, List<BufferPolicy>> found = new TreeMap<>();
    private final Set<String> seen = new HashSet<>();
    private final List<String> failures = new ArrayList<>();

    PolicyLookup(List<ClassLoader> loaders) {
        loaders.forEach(this::scan);
    }

    /** The accepted values, for messages, before any provider is known. */
    static String accepted() {
        return BuiltInPolicy.ALL.stream().map(BuiltInPolicy::name).collect(Collectors.joining(", "))
                + ", or a name found by ServiceLoader";
    }

    /** Reads a policy's name. Whether such a policy exists is checked when a pool is created. */
    static String named(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("is blank");
        }
        return text;
    }

    private void scan(ClassLoader loader) {
        Iterator<BufferPolicy> providers =
                ServiceLoader.load(BufferPolicy.class, loader).iterator();
        int mostFailures = failures.size() + MOST_FAILURES;
        while (failures.size() < mostFailures) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                add(providers.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                failures.add(e.getCause() == null ? e.toString() : e + ", caused by " + e.getCause());
            }
        }
    }

    /** Adds a policy. Both class loaders usually find the same classes; then the instance of the first one is used. */
    private void add(BufferPolicy policy) {
        String type = policy.getClass().getName();
        try {
            String name = checkedName(policy);
            if (seen.add(type + " " + name)) {
                found.computeIfAbsent(name, unused -> new ArrayList<>()).add(policy);
            }
        } catch (RuntimeException e) {
            failures.add(
                    e instanceof IllegalArgumentException ? String.valueOf(e.getMessage()) : type + ".name(): " + e);
        }
    }

    /** The policy's name; throws when it has none. */
    static String checkedName(BufferPolicy policy) {
        String name = policy.name();
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException(
                    "policy without a name: " + policy.getClass().getName() + ".name()="
                            + (name == null ? "null" : '"' + name + '"') + "; accepted: a name that is not blank");
        }
        return name;
    }

    /** The policy that this setting names. */
    BufferPolicy find(Setting<String> setting) {
        String name = setting.value();
        Optional<BuiltInPolicy> builtIn = BuiltInPolicy.named(name);
        List<BufferPolicy> candidates = found.getOrDefault(name, List.of());
        if (builtIn.isPresent() && !candidates.isEmpty()) {
            throw setting.refused(
                    "is built in and also the name of " + types(candidates), "a provider by another name");
        }
        if (candidates.size() > 1) {
            throw setting.refused("is the name of " + types(candidates), "one provider by that name");
        }
        if (builtIn.isPresent()) {
            return builtIn.get();
        }
        return candidates.stream()
                .findFirst()
                .orElseThrow(() -> setting.refused("is no policy" + Spelling.didYouMean(meant(name)), known()));
    }

    private Optional<String> meant(String name) {
        List<String> names = new ArrayList<>(found.keySet());
        BuiltInPolicy.ALL.forEach(policy -> names.add(policy.name()));
        return Spelling.nearest(names, name);
    }

    private static String types(List<BufferPolicy> policies) {
        return policies.stream().map(policy -> policy.getClass().getName()).collect(Collectors.joining(" and "));
    }

    private String known() {
        return accepted()
                + " (found: " + (found.isEmpty() ? "none" : String.join(", ", found.keySet())) + ")"
                + (failures.isEmpty() ? "" : "; providers that failed: " + String.join("; ", failures));
    }
}
