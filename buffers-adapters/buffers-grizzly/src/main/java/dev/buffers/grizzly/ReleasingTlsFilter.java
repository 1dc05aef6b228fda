// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.grizzly;

import javax.net.ssl.SSLException;
import org.glassfish.grizzly.Buffer;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.ssl.SSLBaseFilter;
import org.glassfish.grizzly.ssl.SSLConnectionContext;
import org.glassfish.grizzly.ssl.SSLEngineConfigurator;

/** Grizzly's TLS. By itself that loses the buffer with the peer's close_notify, and the one that this was decrypted into. */
final class ReleasingTlsFilter extends SSLBaseFilter {
    ReleasingTlsFilter(SSLEngineConfigurator server) {
        super(server);
    }

    @Override
    protected NextAction unwrapAll(FilterChainContext context, SSLConnectionContext tls) throws SSLException {
        Buffer encrypted = context.getMessage();
        NextAction action = super.unwrapAll(context, tls);
        Buffer decrypted = context.getMessage();
        if (tls.getSslEngine().isInboundDone()
                && decrypted != encrypted) { // the chain ends here, and nothing has the two
            GrizzlyBuffer.disposeIfOpen(encrypted);
            GrizzlyBuffer.disposeIfOpen(decrypted);
        }
        return action;
    }
}
