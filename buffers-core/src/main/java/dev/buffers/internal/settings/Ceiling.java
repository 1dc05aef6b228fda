// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import dev.buffers.internal.text.ByteSize;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/**
 * The setting {@code max} before the policy is known: a number of bytes, or a percentage of the JVM's limit for the policy's kind of
 * memory.
 */
public record Ceiling(BigDecimal amount, boolean percent) {

    /** The bytes of the smallest buffer. */
    static final int SMALLEST = 128;

    private static final Pattern PERCENTAGE = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?%");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    static Ceiling parse(String text) {
        if (!text.endsWith("%")) {
            return ofBytes(ByteSize.parse(text, SMALLEST, Long.MAX_VALUE));
        }
        if (!PERCENTAGE.matcher(text).matches()) {
            throw new IllegalArgumentException("is not a percentage");
        }
        BigDecimal percent = new BigDecimal(text.substring(0, text.length() - 1));
        if (percent.signum() == 0 || percent.compareTo(HUNDRED) > 0) {
            throw new IllegalArgumentException("is out of range");
        }
        return new Ceiling(percent, true);
    }

    static Ceiling ofBytes(long bytes) {
        return new Ceiling(BigDecimal.valueOf(bytes), false);
    }

    /** The bytes; not for a percentage. */
    public long bytes() {
        if (percent) {
            throw new IllegalStateException("a percentage is no number of bytes: max=" + this);
        }
        return amount.longValueExact();
    }

    /** The bytes that this percentage of {@code limit} amounts to, at least one. */
    long of(long limit) {
        BigDecimal share = BigDecimal.valueOf(limit).multiply(amount).divide(HUNDRED, 0, RoundingMode.DOWN);
        return Math.max(1, share.longValueExact());
    }

    @Override
    public String toString() {
        return percent ? amount.toPlainString() + "%" : ByteSize.text(bytes());
    }
}
