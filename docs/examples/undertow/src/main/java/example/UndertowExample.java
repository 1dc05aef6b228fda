package example;

// tag::undertow
import dev.buffers.undertow.UndertowBufferPool;
import io.undertow.Undertow;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

final class UndertowExample {
    public static void main(String[] args) throws Exception {
        UndertowBufferPool pool = UndertowBufferPool.create();
        Undertow server = Undertow.builder()
                .setByteBufferPool(pool)
                .addHttpListener(0, "127.0.0.1")
                .setHandler(exchange -> exchange.getResponseSender().send("hello"))
                .build();
        server.start();

        var address = (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + "/"));
        String answer = HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.ofString())
                .body();
        server.stop();
        var stats = pool.pool().stats();
        pool.close(); // after the server
        System.out.println(answer + ": " + stats.acquiresByOutcome());
        if (!answer.equals("hello") || stats.leases() != 0 || stats.reservedBytes() == 0) {
            throw new IllegalStateException("answer=" + answer + ", " + stats);
        }
    }
}
// end::undertow
