package dev.buffers.bench.claims;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All claims and all experiments. */
public final class Catalogue {
    private final List<Claim> claims = new ArrayList<>();
    private final Map<String, Experiment> experiments = new LinkedHashMap<>();

    /** Of some families; two experiments or claims of one name, or a trial over what is never measured, are errors. */
    public Catalogue(List<Family> families) {
        for (Family family : families) {
            for (Experiment experiment : family.experiments()) {
                if (experiments.put(experiment.id(), experiment) != null) {
                    throw new IllegalArgumentException("two experiments of one name: " + experiment.id());
                }
            }
            claims.addAll(family.claims());
        }
        Set<String> ids = new LinkedHashSet<>();
        for (Claim claim : claims) {
            if (!ids.add(claim.id())) {
                throw new IllegalArgumentException("two claims of one name: " + claim.id());
            }
            claim.trials().forEach(trial -> {
                check(claim, trial, trial.claimant());
                check(claim, trial, trial.other());
            });
        }
    }

    private Catalogue(List<Claim> claims, Map<String, Experiment> experiments) {
        this.claims.addAll(claims);
        this.experiments.putAll(experiments);
    }

    /** The same experiments with some of the claims. */
    public Catalogue only(List<Claim> wanted) {
        return new Catalogue(wanted, experiments);
    }

    private void check(Claim claim, Claim.Trial trial, Point point) {
        Experiment experiment = experiments.get(point.experiment());
        if (experiment == null || !experiment.points(Depth.ALL).contains(point)) {
            throw new IllegalArgumentException(claim.id() + " compares what is never measured: " + point);
        }
        if (experiment.figures().stream().noneMatch(figure -> figure.name().equals(trial.figure()))) {
            throw new IllegalArgumentException(claim.id() + " compares what has no such figure: " + trial);
        }
    }

    public List<Claim> claims() {
        return Collections.unmodifiableList(claims);
    }

    /** By id. */
    public Map<String, Experiment> experiments() {
        return Collections.unmodifiableMap(experiments);
    }

    /** The experiment that a point belongs to. */
    public Experiment experiment(Point point) {
        return experiment(point.experiment());
    }

    /** The experiment of that name. */
    public Experiment experiment(String id) {
        Experiment experiment = experiments.get(id);
        if (experiment == null) {
            throw new IllegalArgumentException("no such experiment: " + id);
        }
        return experiment;
    }
}
