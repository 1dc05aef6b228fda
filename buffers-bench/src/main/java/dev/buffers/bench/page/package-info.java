/** What the reports share: the style of a page, drawings that follow it, templates, and tables of plain text. */
@NullMarked
package dev.buffers.bench.page;

import org.jspecify.annotations.NullMarked;
