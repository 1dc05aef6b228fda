// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import javax.net.ssl.SSLEngine;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.ssl.SSLUtils;
import org.jspecify.annotations.Nullable;

/**
 * Before Grizzly's TLS, which by itself loses the buffer with the peer's close_notify, and the one that this was decrypted into. Grizzly's
 * filter stays in the chain, with its settings and its listeners, such as the one that chooses HTTP/2.
 */
final class ReleasingTlsFilter extends BaseFilter {
    @Override
    public NextAction handleRead(FilterChainContext context) {
        // Usually it is Grizzly's, 32 KiB that each thread uses again: a listener that had it would keep it for a
        // suspended request.
        GrizzlyBuffer encrypted = context.getMessage() instanceof GrizzlyBuffer ours ? ours : null;
        context.addCompletionListener(ended -> dispose(ended, encrypted));
        return context.getInvokeAction();
    }

    /** At the peer's end the chain ends at the TLS filter, and nothing has the two. */
    private static void dispose(FilterChainContext ended, @Nullable GrizzlyBuffer encrypted) {
        SSLEngine engine = SSLUtils.getSSLEngine(ended.getConnection());
        Object message = ended.getMessage();
        if (engine != null && engine.isInboundDone() && message != encrypted && message instanceof Buffer decrypted) {
            GrizzlyBuffer.disposeIfOpen(encrypted);
            GrizzlyBuffer.disposeIfOpen(decrypted);
        }
    }
}
