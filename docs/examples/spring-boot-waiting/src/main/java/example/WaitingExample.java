package example;

import dev.buffers.BufferPool;
import dev.buffers.springboot.ServerBufferPools;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.reflect.Type;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.messaging.converter.StringMessageConverter;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.messaging.simp.stomp.StompFrameHandler;
import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;
import org.springframework.messaging.simp.stomp.StompSessionHandlerAdapter;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.client.standard.StandardWebSocketClient;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.messaging.WebSocketStompClient;

@Controller
@SpringBootApplication
public class WaitingExample {
    private static final byte[] LARGE = new byte[4 << 20];

    private final Queue<SseEmitter> emitters = new ConcurrentLinkedQueue<>();
    private final Queue<DeferredResult<String>> polls = new ConcurrentLinkedQueue<>();

    @GetMapping("/small")
    @ResponseBody
    public String small() {
        return "hello";
    }

    @GetMapping("/events")
    @ResponseBody
    public SseEmitter events() throws IOException {
        SseEmitter emitter = new SseEmitter(0L); // no time-out
        emitter.send("first");
        emitters.add(emitter);
        return emitter;
    }

    @GetMapping("/poll")
    @ResponseBody
    public DeferredResult<String> poll() {
        DeferredResult<String> poll = new DeferredResult<>(0L); // no time-out
        polls.add(poll);
        return poll;
    }

    @PostMapping("/upload")
    @ResponseBody
    public String upload(InputStream body) throws IOException {
        body.transferTo(OutputStream.nullOutputStream());
        return "hello";
    }

    @GetMapping("/large")
    public ResponseEntity<byte[]> large() {
        return ResponseEntity.ok(LARGE);
    }

    /** Ends all event streams and long polls. */
    private void publish() {
        for (SseEmitter emitter = emitters.poll(); emitter != null; emitter = emitters.poll()) {
            try {
                emitter.send("last");
                emitter.complete();
            } catch (IOException | IllegalStateException e) {
                // its client has gone
            }
        }
        for (DeferredResult<String> poll = polls.poll(); poll != null; poll = polls.poll()) {
            poll.setResult("last");
        }
    }

    @MessageMapping("/shout")
    @SendTo("/topic/shouts")
    public String shout(String text) {
        return text + "!";
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebSocket
    @EnableWebSocketMessageBroker
    static class Sockets implements WebSocketMessageBrokerConfigurer {
        @Bean
        WebSocketConfigurer echo() {
            return registry -> registry.addHandler(
                            new TextWebSocketHandler() {
                                @Override
                                protected void handleTextMessage(WebSocketSession session, TextMessage message)
                                        throws IOException {
                                    session.sendMessage(message);
                                }
                            },
                            "/ws")
                    .setAllowedOrigins("*"); // listens on loopback only
        }

        @Override
        public void registerStompEndpoints(StompEndpointRegistry registry) {
            registry.addEndpoint("/stomp");
        }

        @Override
        public void configureMessageBroker(MessageBrokerRegistry registry) {
            registry.setApplicationDestinationPrefixes("/app");
            registry.enableSimpleBroker("/topic");
        }
    }

    public static void main(String[] args) throws Exception {
        if (List.of(args).contains("serve")) {
            WaitingExample example =
                    SpringApplication.run(WaitingExample.class, args).getBean(WaitingExample.class);
            while (true) {
                TimeUnit.SECONDS.sleep(30);
                example.publish();
            }
        }
        try (var context = SpringApplication.run(WaitingExample.class, args)) {
            ServerBufferPools pools = context.getBean(ServerBufferPools.class);
            String server = "127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
            webSocket(server, pools.pool());
            stomp(server, pools.pool());
            events(server, pools.pool(), context.getBean(WaitingExample.class));
            System.out.println("all have waited: " + pools.pool().stats().acquiresByOutcome());
        }
    }

    private static void webSocket(String server, BufferPool pool) throws Exception {
        Texts texts = new Texts();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://" + server + "/ws"), texts)
                .get(1, TimeUnit.MINUTES);
        for (int i = 0; i < 3; i++) {
            holdsNothing(pool);
            socket.sendText("message " + i, true);
            same("message " + i, texts.received.poll(1, TimeUnit.MINUTES));
        }
        holdsNothing(pool);
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(1, TimeUnit.MINUTES);
    }

    private static void stomp(String server, BufferPool pool) throws Exception {
        WebSocketStompClient client = new WebSocketStompClient(new StandardWebSocketClient());
        client.setMessageConverter(new StringMessageConverter());
        StompSession session = client.connectAsync("ws://" + server + "/stomp", new StompSessionHandlerAdapter() {})
                .get(1, TimeUnit.MINUTES);
        Shouts shouts = new Shouts();
        session.subscribe("/topic/shouts", shouts);
        for (int i = 0; i < 3; i++) {
            String shout = null;
            while (shout == null) { // the broker may not have the subscription yet
                session.send("/app/shout", "shout " + i);
                shout = shouts.received.poll(5, TimeUnit.SECONDS);
            }
            same("shout " + i + "!", shout);
            holdsNothing(pool);
        }
        session.disconnect();
        client.stop();
    }

    private static void events(String server, BufferPool pool, WaitingExample example) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://" + server + "/events")).build();
        var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofInputStream());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            same("data:first", lines.readLine());
            holdsNothing(pool);
            example.publish();
            same("", lines.readLine());
            same("data:last", lines.readLine());
        }
        holdsNothing(pool);
    }

    /** The client may have the last byte before the server's thread has given the buffer back. */
    private static void holdsNothing(BufferPool pool) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (pool.stats().leases() > 0) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("a waiting connection holds a buffer: " + pool.stats());
            }
            Thread.sleep(5);
        }
    }

    private static void same(String expected, String found) {
        if (!expected.equals(found)) {
            throw new IllegalStateException("expected=" + expected + ", found=" + found);
        }
    }

    /** The texts that a web socket has received. */
    private static final class Texts implements WebSocket.Listener {
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            received.add(data.toString());
            socket.request(1);
            return null;
        }
    }

    /** The texts that a topic has received. */
    private static final class Shouts implements StompFrameHandler {
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

        @Override
        public Type getPayloadType(StompHeaders headers) {
            return String.class;
        }

        @Override
        public void handleFrame(StompHeaders headers, Object payload) {
            received.add((String) payload);
        }
    }
}
