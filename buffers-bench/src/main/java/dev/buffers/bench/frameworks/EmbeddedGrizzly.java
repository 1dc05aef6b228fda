package dev.buffers.bench.frameworks;

import dev.buffers.BufferPool;
import dev.buffers.bench.jvm.VirtualThreads;
import dev.buffers.grizzly.GrizzlyMemoryManager;
import dev.buffers.grizzly.ReleasingAddOn;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.Executors;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.NetworkListener;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.server.StaticHttpHandler;
import org.jspecify.annotations.Nullable;

/** Grizzly. */
final class EmbeddedGrizzly implements Embedded {
    private final @Nullable GrizzlyMemoryManager memory;
    private final HttpServer server = new HttpServer();
    private final NetworkListener listener =
            new NetworkListener("bench", InetAddress.getLoopbackAddress().getHostAddress(), 0);

    EmbeddedGrizzly(Contents contents, Work work, boolean ours) throws IOException {
        memory = ours ? new GrizzlyMemoryManager() : null;
        if (memory != null) {
            listener.getTransport().setMemoryManager(memory);
            listener.registerAddOn(new ReleasingAddOn());
        }
        if (work == Work.VIRTUAL) {
            listener.getTransport().setWorkerThreadPool(Executors.newCachedThreadPool(VirtualThreads.factory()));
        }
        server.addListener(listener);
        HttpHandler handler =
                work == Work.FILES ? new StaticHttpHandler(contents.root().toString()) : stream(contents);
        server.getServerConfiguration().addHttpHandler(handler, "/");
        server.start();
    }

    private static HttpHandler stream(Contents contents) {
        return new HttpHandler() {
            @Override
            public void service(Request request, Response response) throws IOException {
                byte[] content = contents.of(request.getRequestURI());
                response.setContentLength(content.length);
                response.getOutputStream().write(content);
            }
        };
    }

    @Override
    public int port() {
        return listener.getPort();
    }

    @Override
    public List<BufferPool> pools() {
        return memory == null ? List.of() : List.of(memory.pool(), memory.heapPool());
    }

    @Override
    public void close() {
        server.shutdownNow();
        if (memory != null) {
            memory.close();
        }
    }
}
