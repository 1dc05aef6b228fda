/** The report of a run: a sentence, a picture, a table, and then how complete that is; on the terminal, as a page, and as JSON. */
@NullMarked
package dev.buffers.bench.report;

import org.jspecify.annotations.NullMarked;
