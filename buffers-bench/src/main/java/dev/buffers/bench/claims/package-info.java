/**
 * What people have believed about Java's buffers, put to the test: a {@code Claim} names what to compare, an {@code Experiment} measures
 * it, point by point and fork by fork, a {@code Campaign} runs them in interleaved rounds into a {@code Journal}, and a {@code Finding} is
 * what the rule says of it.
 */
@NullMarked
package dev.buffers.bench.claims;

import org.jspecify.annotations.NullMarked;
