// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One operation of the model test, as in {@code acquire 3 4096} or, by the second thread, {@code @release 3}. Leases stand in registers,
 * and whatever an operation says about an empty one means nothing: so any part of a sequence is a sequence too.
 *
 * @param elsewhere whether the second thread does it
 * @param operands any numbers; the code that carries the operation out brings them into range
 */
record ModelOp(Verb verb, boolean elsewhere, List<Integer> operands) {
    static final int REGISTERS = 24;
    static final int CHANNELS = 3;

    private static final int[] SIZES = {
        0, 1, 100, 128, 129, 1000, 1024, 1025, 2048, 4000, 4096, 8192, 8193, 16_384, 16_709, 16_897, 40_000, 65_536,
        100_000, 163_840, 262_144, 300_000, 1 << 20
    };

    /** The meaning of an operand, which says what numbers are tried. */
    enum Operand {
        REGISTER,
        CHANNEL,
        SIZE,
        PLACE,
        LENGTH,
        FEW;

        private int random(Random random, long max) {
            return switch (this) {
                case REGISTER -> random.nextInt(REGISTERS);
                case CHANNEL -> random.nextInt(CHANNELS);
                case SIZE -> size(random, max);
                case PLACE -> random.nextInt(4) == 0 ? 0 : random.nextInt(20_000);
                case LENGTH -> random.nextInt(40) == 0 ? -1 : size(random, max);
                case FEW -> random.nextInt(4);
            };
        }
    }

    /** Mostly small, now and then the first or the last size of a class, or more than can ever be acquired. */
    private static int size(Random random, long max) {
        if (random.nextInt(60) == 0) {
            return -1;
        }
        int size = SIZES[Math.min(random.nextInt(SIZES.length), random.nextInt(SIZES.length))];
        boolean fits = size <= max / 8 || random.nextInt(6) == 0;
        return fits ? size : random.nextInt((int) Math.max(1, max / 16));
    }

    /** The operations, how often each is done, and their operands. */
    enum Verb {
        ACQUIRE(14, Operand.REGISTER, Operand.SIZE),
        TRY_ACQUIRE(14, Operand.REGISTER, Operand.SIZE),
        /** With a patience of none or a millisecond. */
        ACQUIRE_PATIENTLY(1, Operand.REGISTER, Operand.SIZE, Operand.FEW),
        /** By a thread that waits until it is served, while all else goes on. */
        AWAIT(3, Operand.REGISTER, Operand.SIZE),
        RETAIN(4, Operand.REGISTER, Operand.REGISTER),
        SLICE(4, Operand.REGISTER, Operand.REGISTER, Operand.PLACE, Operand.LENGTH),
        RELEASE(20, Operand.REGISTER),
        CLOSE(8, Operand.REGISTER),
        DISCARD(1, Operand.REGISTER),
        /** Everything that a lease has to say, and everything that it refuses once it has ended. */
        USE(3, Operand.REGISTER),
        WRITE(8, Operand.REGISTER, Operand.PLACE, Operand.LENGTH),
        MOVE(4, Operand.REGISTER, Operand.PLACE, Operand.LENGTH),
        ORDER(2, Operand.REGISTER, Operand.FEW),
        INPUT(3, Operand.CHANNEL),
        ROOM(3, Operand.CHANNEL, Operand.LENGTH),
        /** A read that gives so many bytes, or finds the end. */
        RECEIVE(8, Operand.CHANNEL, Operand.LENGTH),
        /** A read that fails. */
        FAIL(1, Operand.CHANNEL),
        CONSUME(3, Operand.CHANNEL, Operand.LENGTH),
        HAND_OFF(3, Operand.CHANNEL, Operand.REGISTER),
        HAND_OFF_PART(3, Operand.CHANNEL, Operand.REGISTER, Operand.LENGTH),
        CHANNEL_ACQUIRE(6, Operand.CHANNEL, Operand.REGISTER, Operand.SIZE),
        IDLE(3, Operand.CHANNEL),
        CLOSE_CHANNEL(1, Operand.CHANNEL),
        NEW_CHANNEL(2, Operand.CHANNEL),
        WHEN_AVAILABLE(1, Operand.SIZE),
        OPEN_LEASES(1),
        TRIM(1),
        /** One second passes, or up to thirteen. */
        TICK(1, Operand.FEW),
        /** The second thread ends; another one takes over its later operations. */
        THREAD_DIES(1),
        CLOSE_POOL(0);

        private final int weight;
        private final List<Operand> operands;

        Verb(int weight, Operand... operands) {
            this.weight = weight;
            this.operands = List.of(operands);
        }

        private static final List<Verb> WEIGHTED = Arrays.stream(values())
                .flatMap(verb -> Stream.generate(() -> verb).limit(verb.weight))
                .toList();

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    int operand(int i) {
        return operands.get(i);
    }

    /** A sequence for a pool of at most so many bytes: times of acquiring and times of releasing by turns, and at last perhaps a close. */
    static List<ModelOp> random(Random random, int count, long max, boolean twoThreads) {
        List<ModelOp> ops = new ArrayList<>();
        int close = random.nextInt(3) == 0 ? count - random.nextInt(count / 4 + 1) : count;
        boolean acquiring = true;
        for (int i = 0; i < count; i++) {
            acquiring = random.nextInt(60) == 0 ? !acquiring : acquiring;
            Verb verb = i == close ? Verb.CLOSE_POOL : Verb.WEIGHTED.get(random.nextInt(Verb.WEIGHTED.size()));
            Verb against = acquiring ? Verb.RELEASE : Verb.ACQUIRE;
            verb = verb == against && random.nextBoolean() ? (acquiring ? Verb.ACQUIRE : Verb.RELEASE) : verb;
            List<Integer> operands = verb.operands.stream()
                    .map(operand -> operand.random(random, max))
                    .toList();
            ops.add(new ModelOp(verb, twoThreads && random.nextInt(4) == 0, operands));
        }
        return ops;
    }

    /** The same operation in simpler ways, the simplest first. */
    List<ModelOp> simpler() {
        List<ModelOp> simpler = new ArrayList<>();
        if (elsewhere) {
            simpler.add(new ModelOp(verb, false, operands));
        }
        for (int i = 0; i < operands.size(); i++) {
            int now = operands.get(i);
            for (int less : new int[] {0, 1, now / 2, now - now / 8, now - now / 64, now - now / 512, now - 1}) {
                if (Math.abs(less) < Math.abs(now)) {
                    List<Integer> changed = new ArrayList<>(operands);
                    changed.set(i, less);
                    simpler.add(new ModelOp(verb, elsewhere, List.copyOf(changed)));
                }
            }
        }
        return simpler;
    }

    /** The same operations with registers and channels numbered in the order in which they come. */
    static List<ModelOp> renumbered(List<ModelOp> ops) {
        Map<Integer, Integer> registers = new HashMap<>();
        Map<Integer, Integer> channels = new HashMap<>();
        List<ModelOp> renumbered = new ArrayList<>();
        for (ModelOp op : ops) {
            List<Integer> operands = new ArrayList<>(op.operands);
            for (int i = 0; i < operands.size(); i++) {
                Operand stands = op.verb.operands.get(i);
                if (stands == Operand.REGISTER || stands == Operand.CHANNEL) {
                    Map<Integer, Integer> numbers = stands == Operand.REGISTER ? registers : channels;
                    int next = numbers.size();
                    operands.set(i, numbers.computeIfAbsent(operands.get(i), old -> next));
                }
            }
            renumbered.add(new ModelOp(op.verb, op.elsewhere, List.copyOf(operands)));
        }
        return renumbered;
    }

    /** Reads what {@link #text} prints. */
    static List<ModelOp> parse(String text) {
        return Arrays.stream(text.split(";"))
                .map(String::strip)
                .filter(op -> !op.isEmpty())
                .map(ModelOp::parseOne)
                .toList();
    }

    private static ModelOp parseOne(String text) {
        boolean elsewhere = text.startsWith("@");
        String[] words = text.substring(elsewhere ? 1 : 0).split(" +");
        Verb verb = Verb.valueOf(words[0].toUpperCase(Locale.ROOT).replace('-', '_'));
        List<Integer> operands =
                Arrays.stream(words).skip(1).map(Integer::valueOf).toList();
        if (operands.size() != verb.operands.size()) {
            throw new IllegalArgumentException("operands of " + verb + " are " + verb.operands + ": " + text);
        }
        return new ModelOp(verb, elsewhere, operands);
    }

    static String text(List<ModelOp> ops) {
        return ops.stream().map(ModelOp::toString).collect(Collectors.joining("; "));
    }

    @Override
    public String toString() {
        return (elsewhere ? "@" : "")
                + verb
                + operands.stream().map(operand -> " " + operand).collect(Collectors.joining());
    }
}
