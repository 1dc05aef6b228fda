package dev.buffers.bench.run;

import dev.buffers.bench.claims.Claim;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts what people have believed about Java's buffers to the test. */
@Command(
        name = "claims",
        description = {
            "Repeats what was measured about Java's buffers between 2002 and 2023 on this machine and says what became of it.",
            "Close everything else meanwhile. Ctrl-C leaves a report of what was finished."
        })
public final class ClaimsCommand extends Campaign {
    @Parameters(
            arity = "0..*",
            paramLabel = "ID",
            description = "claims (A1, C3) or whole families (A, F); all when none is named")
    private List<String> ids = List.of();

    @Option(names = "--list", description = "list the claims and end")
    private boolean list;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Claim> wanted = wanted(Claim.all());
        if (list) {
            wanted.forEach(claim -> System.out.printf(
                    "%-4s %d  %s%n", claim.id(), claim.source().year(), claim.statement()));
            return 0;
        }
        return execute("Buffers: the claims", wanted);
    }

    private List<Claim> wanted(List<Claim> all) {
        if (ids.isEmpty()) {
            return all;
        }
        Set<Claim> wanted = new LinkedHashSet<>();
        for (String id : ids) {
            List<Claim> named = all.stream()
                    .filter(claim -> isNamed(claim, id.toUpperCase(Locale.ROOT)))
                    .toList();
            String known = all.stream().map(Claim::id).collect(Collectors.joining(" "));
            check(!named.isEmpty(), "no such claim: " + id + "; there are " + known);
            wanted.addAll(named);
        }
        return List.copyOf(wanted);
    }

    /** By its id, by the number that it shares with others (F5), or by its family's letter. */
    private static boolean isNamed(Claim claim, String upper) {
        String id = claim.id().toUpperCase(Locale.ROOT);
        return id.equals(upper) || id.startsWith(upper + " ") || id.startsWith(upper) && upper.length() == 1;
    }
}
