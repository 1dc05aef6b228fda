package dev.buffers.bench.http;

import org.jspecify.annotations.Nullable;

/**
 * What the server wants to know of one request's head.
 *
 * @param target the request target as it came, still encoded
 * @param keepAlive whether the client lets the connection live on
 * @param contentLength bytes of body that follow the head
 * @param expects whether the client asked for an interim answer before it sends its body
 */
record Request(
        Method method,
        String target,
        boolean keepAlive,
        long contentLength,
        boolean expects,
        @Nullable String range,
        @Nullable String ifRange) {

    /** The methods that matter to a server of files: the two it answers, and all others. */
    enum Method {
        GET,
        HEAD,
        OTHER
    }
}
