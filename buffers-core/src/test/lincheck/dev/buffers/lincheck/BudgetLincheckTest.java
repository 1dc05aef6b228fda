// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.lincheck;

import dev.buffers.internal.memory.Budget;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;

/** Charges against a cap and credits of charged bytes: linearizable. */
@Param(name = "bytes", gen = IntGen.class, conf = "1:5")
@Param(name = "thread", gen = ThreadIdGen.class)
public final class BudgetLincheckTest extends LincheckContract {
    private static final int MAX = 8;

    private final Budget budget = new Budget(MAX);

    /** The bytes that each thread has charged. */
    private final long[] charged = new long[5];

    @Override
    Class<?> specification() {
        return Specification.class;
    }

    @Operation
    public boolean tryCharge(@Param(name = "bytes") int bytes, @Param(name = "thread") int thread) {
        boolean done = budget.tryCharge(bytes);
        charged[thread] += done ? bytes : 0;
        return done;
    }

    @Operation
    public void credit(@Param(name = "bytes") int bytes, @Param(name = "thread") int thread) {
        long mine = Math.min(bytes, charged[thread]);
        charged[thread] -= mine;
        budget.credit(mine);
    }

    @Operation
    public long charged() {
        return budget.charged();
    }

    @Operation
    public long room() {
        return budget.room();
    }

    public static final class Specification {
        private final long[] charged = new long[5];
        private long sum;

        public boolean tryCharge(int bytes, int thread) {
            boolean fits = sum + bytes <= MAX;
            charged[thread] += fits ? bytes : 0;
            sum += fits ? bytes : 0;
            return fits;
        }

        public void credit(int bytes, int thread) {
            long mine = Math.min(bytes, charged[thread]);
            charged[thread] -= mine;
            sum -= mine;
        }

        public long charged() {
            return sum;
        }

        public long room() {
            return MAX - sum;
        }
    }
}
