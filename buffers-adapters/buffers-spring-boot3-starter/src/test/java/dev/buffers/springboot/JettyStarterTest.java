package dev.buffers.springboot;

/** Jetty 12.0 in Boot 3.5. */
class JettyStarterTest extends JettyContract {}
