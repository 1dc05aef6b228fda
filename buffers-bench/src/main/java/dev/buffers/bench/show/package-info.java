/**
 * The main job: one server after another under the same load, and what that says about the policy to set.
 *
 * <p>{@code ShowCommand} starts a {@code ServerProcess} for each {@code Lane}, {@code Contest} drives them in interleaved rounds,
 * {@code Standings} are the figures that come out, {@code Ratio} and {@code Verdict} judge them, and {@code Report} tells.
 */
@NullMarked
package dev.buffers.bench.show;

import org.jspecify.annotations.NullMarked;
