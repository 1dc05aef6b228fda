package dev.buffers.bench.report;

import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;

/** How an axis writes its numbers. */
final class TickFormat extends NumberFormat {
    private static final long serialVersionUID = 1;

    @Override
    public StringBuffer format(double value, StringBuffer out, FieldPosition position) {
        return out.append(Numbers.tick(value));
    }

    @Override
    public StringBuffer format(long value, StringBuffer out, FieldPosition position) {
        return format((double) value, out, position);
    }

    @Override
    public Number parse(String text, ParsePosition position) {
        throw new UnsupportedOperationException("an axis only writes");
    }
}
