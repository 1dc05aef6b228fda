package dev.buffers.bench.claims;

import java.util.ArrayList;
import java.util.List;

/** All rows, A to F. */
public final class Claims {
    private Claims() {}

    /** In the order of the catalogue. */
    public static List<Claim> all() {
        List<Claim> all = new ArrayList<>(KindsOfBuffer.rows());
        all.addAll(OldClaims.rows());
        all.addAll(NewClaims.rows());
        return all;
    }
}
