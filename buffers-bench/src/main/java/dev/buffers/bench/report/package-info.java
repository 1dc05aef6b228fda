/**
 * What a campaign tells: a page, the same as Markdown, the raw figures, and two tables for the terminal.
 *
 * <p>{@code Page} is what the page and the Markdown both say, in {@code ClaimRow}s, {@code Section}s with a {@code Panel} for each chart,
 * and {@code Standings} of the pools in their lanes; two templates say it.
 */
@NullMarked
package dev.buffers.bench.report;

import org.jspecify.annotations.NullMarked;
