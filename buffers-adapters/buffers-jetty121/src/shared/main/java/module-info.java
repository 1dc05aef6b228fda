/** The pool as Jetty's. */
module dev.buffers.jetty {
    requires transitive dev.buffers;
    requires transitive org.eclipse.jetty.io;
    requires static org.eclipse.jetty.server;
    requires static org.jspecify;

    exports dev.buffers.jetty;
}
