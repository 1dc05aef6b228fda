package dev.buffers.bench.report;

import dev.buffers.bench.figures.Ratio;
import dev.buffers.bench.figures.Spread;
import java.util.Locale;

/** How numbers are written: enough digits and no more. */
final class Numbers {
    private static final int DIGITS = 3;
    private static final String[] THOUSANDS = {"", "k", "M", "G", "T", "P"};

    private Numbers() {}

    /** Three digits at least: 0.0123, 1.20, 123, 12,345, 123M. */
    static String text(double value) {
        double size = Math.abs(value);
        if (Double.isNaN(value)) {
            return "-";
        }
        if (size >= 1e7) {
            return shortened(value);
        }
        return size >= 1000 ? String.format(Locale.ROOT, "%,.0f", value) : rounded(value);
    }

    /** A round number, for an axis: 0.05, 20, 5k. */
    static String tick(double value) {
        return trimmed(shortened(value));
    }

    /** A spread's median, and its least and greatest where they differ. */
    static String text(Spread spread) {
        String low = text(spread.min());
        String high = text(spread.max());
        return low.equals(high) ? text(spread.median()) : text(spread.median()) + " (" + low + "–" + high + ")";
    }

    /** A factor: three decimals, so that 1.05 can be told from 1.051. */
    static String factor(double value) {
        return value >= 100 ? text(value) : String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.3f", value);
    }

    static String interval(Ratio ratio) {
        return factor(ratio.low()) + " to " + factor(ratio.high());
    }

    /** A value of a parameter: a number with its thousands apart, a word as it is. */
    static String label(String value) {
        return value.matches("[1-9]\\d{3,17}") ? String.format(Locale.ROOT, "%,d", Long.parseLong(value)) : value;
    }

    static String percent(double share) {
        return trimmed(rounded(share * 100)) + " %";
    }

    private static String shortened(double value) {
        int power = 0;
        double left = value;
        while (Math.abs(left) >= 1000 && power < THOUSANDS.length - 1) {
            left /= 1000;
            power++;
        }
        return rounded(left) + THOUSANDS[power];
    }

    private static String rounded(double value) {
        if (value == 0) {
            return "0";
        }
        int whole = (int) Math.floor(Math.log10(Math.abs(value))) + 1;
        return String.format(Locale.ROOT, "%." + Math.max(0, DIGITS - whole) + "f", value);
    }

    /** Without zeros at the end of a fraction. */
    private static String trimmed(String number) {
        return number.replaceAll("(\\.\\d*?)0+(?!\\d)", "$1").replaceAll("\\.(?!\\d)", "");
    }
}
