package example;

import dev.buffers.BufferPool;
import dev.buffers.springboot.ServerBufferPools;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@SpringBootApplication
public class BootExample {
    @GetMapping("/hello")
    public String hello() {
        return "hello";
    }

    public static void main(String[] args) throws Exception {
        BufferPool pool;
        String answer;
        String endpoint;
        try (var context = SpringApplication.run(BootExample.class, args)) {
            pool = context.getBean(ServerBufferPools.class).pool();
            String port = context.getEnvironment().getProperty("local.server.port");
            answer = get("http://127.0.0.1:" + port + "/hello");
            endpoint = get("http://127.0.0.1:" + port + "/actuator/buffers");
        }
        var stats = pool.stats();
        System.out.println(answer + ": " + stats.acquiresByOutcome());
        if (!answer.equals("hello")
                || !endpoint.contains("max=64m")
                || stats.leases() != 0
                || stats.acquiresByOutcome().values().stream().allMatch(count -> count == 0)) {
            throw new IllegalStateException("answer=" + answer + ", endpoint=" + endpoint + ", " + stats);
        }
    }

    private static String get(String uri) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(uri)).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }
}
