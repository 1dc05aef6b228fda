/** How the settings of a pool are read, checked and completed. Knows the policies of {@code memory}, and no slot and no pool. */
@NullMarked
package dev.buffers.internal.settings;

import org.jspecify.annotations.NullMarked;
