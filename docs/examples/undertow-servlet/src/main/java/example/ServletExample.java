package example;

import dev.buffers.BufferPool;
import dev.buffers.PooledBuffer;
import dev.buffers.undertow.UndertowBufferPool;
import io.undertow.Undertow;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

final class ServletExample {
    public static final class Hello extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            BufferPool pool = (BufferPool) getServletContext().getAttribute("pool");
            try (PooledBuffer buffer = pool.acquire(100)) {
                response.getWriter().print(buffer.isOpen() ? "hello" : "");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        DeploymentInfo application = Servlets.deployment()
                .setClassLoader(ServletExample.class.getClassLoader())
                .setDeploymentName("example")
                .setContextPath("/")
                .addListener(Servlets.listener(PoolOfApplication.class))
                .addServlet(Servlets.servlet("hello", Hello.class).addMapping("/hello"));
        DeploymentManager manager = Servlets.defaultContainer().addDeployment(application);
        manager.deploy();
        UndertowBufferPool pool = UndertowBufferPool.create();
        Undertow server = Undertow.builder()
                .setByteBufferPool(pool)
                .addHttpListener(0, "127.0.0.1")
                .setHandler(manager.start())
                .build();
        server.start();

        var address = (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + "/hello"));
        String answer = HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.ofString())
                .body();
        BufferPool ofApplication =
                (BufferPool) manager.getDeployment().getServletContext().getAttribute("pool");
        manager.stop();
        manager.undeploy();
        server.stop();
        var stats = pool.pool().stats();
        pool.close(); // after the server
        System.out.println(answer + ": " + stats.acquiresByOutcome());
        if (!answer.equals("hello") || stats.leases() != 0 || stats.reservedBytes() == 0 || isOpen(ofApplication)) {
            throw new IllegalStateException("answer=" + answer + ", " + stats);
        }
    }

    private static boolean isOpen(BufferPool pool) {
        try {
            pool.acquire(1).release();
            return true;
        } catch (IllegalStateException closed) {
            return false;
        }
    }
}
