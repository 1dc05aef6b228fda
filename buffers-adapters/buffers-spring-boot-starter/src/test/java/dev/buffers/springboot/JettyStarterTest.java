package dev.buffers.springboot;

/** Jetty 12.1 in Boot 4. */
class JettyStarterTest extends JettyContract {}
