package dev.buffers.bench.show;

import java.time.Duration;

/**
 * How long everything takes.
 *
 * @param rounds each drives every server once, in another order
 * @param warmUpMillis for each server, before the first round
 * @param closedMillis one closed loop; each server has two in a round
 * @param openMillis one open loop
 * @param quick whether it is too short for figures to be believed
 */
record ShowPlan(int rounds, long warmUpMillis, long closedMillis, long openMillis, boolean quick) {

    /** Fewer rounds say too little. */
    static final int MIN_ROUNDS = 5;

    private static final int DEFAULT_ROUNDS = 6;
    private static final int DEFAULT_SECONDS = 120;
    private static final int QUICK_SECONDS = 15;

    /** Starting a server, and what a phase costs beyond its time: connecting, waiting for the last connection to close. */
    private static final double START_SECONDS = 0.8;

    private static final double PHASE_SECONDS = 0.05;
    private static final double WARM_UP_SHARE = 0.15;
    private static final double OPEN_SHARE = 0.3;
    private static final double SHORTEST_PHASE_SECONDS = 0.1;

    /** A plan that takes about {@code seconds} in all. */
    static ShowPlan of(int rounds, double seconds, int lanes, boolean quick) {
        if (rounds < MIN_ROUNDS) {
            throw new IllegalArgumentException("less than " + MIN_ROUNDS + ": rounds=" + rounds);
        }
        double warmUp = Math.max(SHORTEST_PHASE_SECONDS, seconds * WARM_UP_SHARE / lanes);
        double left = seconds - lanes * (START_SECONDS + warmUp);
        double turn = left / (rounds * lanes) - 3 * PHASE_SECONDS;
        return new ShowPlan(
                rounds, millis(warmUp), millis(turn * (1 - OPEN_SHARE) / 2), millis(turn * OPEN_SHARE), quick);
    }

    /** The plan that the system properties ask for. */
    static ShowPlan fromProperties(int lanes) {
        int rounds = Math.toIntExact(number("show.rounds", DEFAULT_ROUNDS));
        return of(rounds, (double) number("show.seconds", DEFAULT_SECONDS), lanes, false);
    }

    /** A smoke run: everything once over, no figures to be believed. */
    static ShowPlan quick(int lanes) {
        return of(MIN_ROUNDS, QUICK_SECONDS, lanes, true);
    }

    private static long number(String key, long otherwise) {
        String text = System.getProperty(key, "");
        try {
            return text.isBlank() ? otherwise : Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a whole number: " + key + "=" + text, e);
        }
    }

    private static long millis(double seconds) {
        return Math.round(1000 * Math.max(SHORTEST_PHASE_SECONDS, seconds));
    }

    Duration warmUp() {
        return Duration.ofMillis(warmUpMillis);
    }

    Duration closed() {
        return Duration.ofMillis(closedMillis);
    }

    Duration open() {
        return Duration.ofMillis(openMillis);
    }

    /** How long it takes until a server is started and warm. */
    double secondsToStart() {
        return START_SECONDS + warmUpMillis / 1e3;
    }

    /** How long one server is driven by the closed loops of one round. */
    double secondsClosed() {
        return 2 * (closedMillis / 1e3 + PHASE_SECONDS);
    }

    /** How long one server is driven by the open loop of one round. */
    double secondsOpen() {
        return openMillis / 1e3 + PHASE_SECONDS;
    }

    double seconds(int lanes) {
        return lanes * (secondsToStart() + rounds * (secondsClosed() + secondsOpen()));
    }
}
