// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.harness;

/**
 * A question about one cell and one alternative.
 *
 * @param label for the table: the size, and whatever else tells it from the others
 * @param shape in which of two shapes the caller is compiled; empty where there is but one. Trials of one label and several shapes are one
 * @param cell its name
 * @param alternative its variant's name
 * @param figure {@link #CPU}, {@link #WALL}, or one that the contestant reports besides
 * @param scale by which the alternative's cost is multiplied first: 1, unless an operation of the base does another amount of work
 */
public record Trial(
        String label, String shape, String cell, String alternative, String figure, double scale, Question question) {
    /** CPU time of the process for an operation. */
    public static final String CPU = "cpu";

    /** Wall time for an operation. */
    public static final String WALL = "wall";

    /** Of CPU time, in one shape, with the alternative's name for a label. */
    public static Trial of(String cell, String alternative, Question question) {
        return new Trial(alternative, "", cell, alternative, CPU, 1, question);
    }

    public Trial labelled(String other) {
        return new Trial(other, shape, cell, alternative, figure, scale, question);
    }
}
