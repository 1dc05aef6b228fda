package dev.buffers.bench.sockets;

import java.io.IOException;

/** Something came back, but not what was sent. */
final class WrongEcho extends IOException {
    private static final long serialVersionUID = 1;

    WrongEcho(String message) {
        super(message);
    }
}
