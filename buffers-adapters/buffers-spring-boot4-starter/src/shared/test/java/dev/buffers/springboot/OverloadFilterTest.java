// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.LeakReport;
import dev.buffers.PoolExhaustedException;
import dev.buffers.PooledBuffer;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** What an application answers when there is too much to do, and what hears of its leaks. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("full")
class OverloadFilterTest {
    private static final LinkedBlockingQueue<CountDownLatch> BLOCKED = new LinkedBlockingQueue<>();
    private static final AtomicInteger FAILED_AFTER_START = new AtomicInteger();

    @RestController
    @Configuration(proxyBeanMethods = false)
    static class Busy {
        @Autowired
        BufferPool pool;

        @GetMapping("/acquires")
        String acquires() {
            pool.acquire(4096).release();
            return "acquired";
        }

        @GetMapping("/acquires/too-much")
        String acquiresTooMuch() {
            pool.acquire(1 << 21).release();
            return "acquired";
        }

        @GetMapping("/exhausted")
        String exhausted() {
            throw wrapped();
        }

        @GetMapping("/exhausted/callable")
        Callable<String> exhaustedCallable() {
            return this::exhausted;
        }

        @GetMapping("/exhausted/future")
        CompletableFuture<String> exhaustedFuture() {
            return CompletableFuture.supplyAsync(this::exhausted);
        }

        @GetMapping("/exhausted/deferred")
        DeferredResult<String> exhaustedDeferred() {
            DeferredResult<String> result = new DeferredResult<>();
            result.setErrorResult(wrapped());
            return result;
        }

        /** Fails after {@code startAsync}: at {@code /started} in the first pass, at {@code /started/dispatched} in the second. */
        @Bean
        ServletRegistrationBean<HttpServlet> started() {
            HttpServlet servlet = new HttpServlet() {
                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                    AsyncContext asynchronous = request.startAsync();
                    asynchronous.setTimeout(0);
                    if (request.getDispatcherType() == DispatcherType.REQUEST && request.getPathInfo() != null) {
                        asynchronous.dispatch();
                        return;
                    }
                    FAILED_AFTER_START.incrementAndGet();
                    throw wrapped();
                }
            };
            return new ServletRegistrationBean<>(servlet, "/started/*");
        }

        private IllegalStateException wrapped() {
            return new IllegalStateException(
                    "wrapped", new PoolExhaustedException("server", 4096, "the test says so", pool.stats()));
        }

        @GetMapping("/broken")
        String broken() {
            throw new IllegalStateException("broken");
        }

        @GetMapping("/broken/callable")
        Callable<String> brokenCallable() {
            return this::broken;
        }

        @GetMapping("/blocked")
        String blocked() throws InterruptedException {
            return block();
        }

        @GetMapping("/asynchronous")
        Callable<String> asynchronous() {
            return Busy::block;
        }

        private static String block() throws InterruptedException {
            CountDownLatch latch = new CountDownLatch(1);
            BLOCKED.add(latch);
            assertTrue(latch.await(300, TimeUnit.SECONDS));
            return "done";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Listening {
        static final LinkedBlockingQueue<LeakReport> LEAKS = new LinkedBlockingQueue<>();

        @Bean
        Consumer<LeakReport> leaks() {
            return LEAKS::add;
        }
    }

    static List<String> servers() {
        return ThisBoot.SERVERS;
    }

    private static RunningApplication start(String server, Class<?> more, String... properties) {
        return RunningApplication.start(List.of(TestApplication.class, more), server, properties);
    }

    private static void assertUnavailable(HttpResponse<String> response) {
        assertEquals(503, response.statusCode());
        assertEquals("1", response.headers().firstValue("Retry-After").orElse(""));
        assertEquals("", response.body());
    }

    @ParameterizedTest
    @MethodSource("servers")
    void requestThatFailsForWantOfBufferIsUnavailable(String server) throws Exception {
        try (RunningApplication application = start(server, Busy.class)) {
            assertUnavailable(application.response("/exhausted"));
            assertEquals(500, application.status("/broken"));
            assertEquals("hello", application.get("/hello"));
        }
    }

    /** The server's pool has room for the answer: it is another one. */
    @Tag("full")
    @ParameterizedTest
    @MethodSource("servers")
    void applicationThatFillsOrClosesItsPoolLeavesTheServerOne(String server) throws Exception {
        try (RunningApplication application = start(server, Busy.class, "buffers.max=1m")) {
            BufferPool pool = application.context().getBean(BufferPool.class);
            List<PooledBuffer> all = new ArrayList<>();
            for (PooledBuffer lease = pool.tryAcquire(4096); lease != null; lease = pool.tryAcquire(4096)) {
                all.add(lease);
            }
            for (int i = 0; i < 3; i++) {
                assertUnavailable(application.response("/acquires"));
                assertEquals(200, application.status("/actuator/health"));
            }
            all.forEach(PooledBuffer::release);
            assertEquals("acquired", application.get("/acquires"));
            pool.close();
            assertEquals(500, application.status("/acquires"));
            assertEquals("hello", application.get("/hello"));
        }
    }

    /** Trying again is in vain. */
    @ParameterizedTest
    @MethodSource("servers")
    void sizeBeyondTheCapIsAnErrorOfTheApplication(String server) throws Exception {
        try (RunningApplication application = start(server, Busy.class, "buffers.max=1m")) {
            HttpResponse<String> response = application.response("/acquires/too-much");
            assertEquals(500, response.statusCode());
            assertEquals(List.of(), response.headers().allValues("Retry-After"));
            assertEquals(0, rejected(application, "no-buffer"));
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void rejectedRequestsAreCountedAndLoggedOnceAMinute(String server, CapturedOutput output) throws Exception {
        try (RunningApplication application = start(server, Busy.class, "buffers.server.max-requests=1")) {
            Blocked only = Blocked.begin(application, "/blocked");
            for (int i = 0; i < 3; i++) {
                assertUnavailable(application.response("/hello"));
            }
            assertEquals(3, rejected(application, "max-requests"));
            only.end();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            while (rejected(application, "no-buffer") == 0) { // else the place was still taken
                assertTrue(System.nanoTime() - end < 0);
                assertUnavailable(application.response("/exhausted"));
            }
            assertEquals(1, rejected(application, "no-buffer"));
            String log = output.getOut();
            assertEquals(
                    2,
                    log.split("too many requests in progress, answered 503: buffers.server.max-requests=1,", -1).length,
                    log);
            assertEquals(2, log.split("no buffer for a request, answered 503: ", -1).length, log);
        }
    }

    @Test
    void systemPropertySetsTheLimit() throws Exception {
        System.setProperty("buffers.server.max-requests", "1");
        try (RunningApplication application = start(servers().get(0), Busy.class)) {
            Blocked only = Blocked.begin(application, "/blocked");
            assertUnavailable(application.response("/hello"));
            only.end();
        } finally {
            System.clearProperty("buffers.server.max-requests");
        }
    }

    private static double rejected(RunningApplication application, String reason) {
        return application
                .context()
                .getBean(MeterRegistry.class)
                .get("buffers.server.requests.rejected")
                .tag("reason", reason)
                .functionCounter()
                .count();
    }

    /** A probe would restart a busy server. */
    @ParameterizedTest
    @MethodSource("servers")
    void endpointsHaveNoLimit(String server) throws Exception {
        try (RunningApplication application = start(
                server,
                Busy.class,
                "buffers.server.max-requests=1",
                "spring.mvc.servlet.path=/api",
                "management.endpoint.health.probes.enabled=true",
                "management.endpoint.health.probes.add-additional-paths=true")) {
            Blocked only = Blocked.begin(application, "/api/blocked");
            for (String path :
                    List.of("/api/actuator", "/api/actuator/health", "/api/actuator/health/liveness", "/api/livez")) {
                assertEquals(200, application.status(path), path);
            }
            for (String path : List.of("/api/hello", "/api/actuators", "/started/actuator/health")) {
                assertUnavailable(application.response(path));
            }
            only.end();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void endpointsInTheRootHaveNoLimit(String server) throws Exception {
        try (RunningApplication application =
                start(server, Busy.class, "buffers.server.max-requests=1", "management.endpoints.web.base-path=/")) {
            Blocked only = Blocked.begin(application, "/blocked");
            assertEquals(200, application.status("/health"));
            assertUnavailable(application.response("/hello"));
            only.end();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void asynchronousRequestThatFailsForWantOfBufferIsUnavailable(String server) throws Exception {
        try (RunningApplication application = start(server, Busy.class)) {
            assertAsynchronousFailuresAreAnswered(application);
        }
    }

    static void assertAsynchronousFailuresAreAnswered(RunningApplication application) throws Exception {
        assertUnavailable(application.response("/exhausted/callable"));
        assertUnavailable(application.response("/exhausted/future"));
        assertUnavailable(application.response("/exhausted/deferred"));
        assertEquals(500, application.status("/broken/callable"));
        assertEquals("hello", application.get("/hello"));
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("servers")
    void asynchronousRequestReturnsItsPlaceOnce(String server) throws Exception {
        try (RunningApplication application = start(server, Busy.class, "buffers.server.max-requests=1")) {
            assertAsynchronousRequestReturnsItsPlaceOnce(application);
        }
    }

    /** In an application that works at one request at most. */
    static void assertAsynchronousRequestReturnsItsPlaceOnce(RunningApplication application) throws Exception {
        for (int i = 0; i < 5; i++) {
            assertEquals(500, statusOnceThereIsRoom(application, "/broken/callable"));
            assertUnavailable(application.response("/exhausted/callable"));
            Blocked only = Blocked.begin(application, "/asynchronous");
            for (int refused = 0; refused < 3; refused++) {
                assertUnavailable(application.response("/hello"));
            }
            only.end();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void requestThatFailsAfterStartAsyncIsUnavailableAndReturnsItsPlace(String server) throws Exception {
        try (RunningApplication application = start(server, Busy.class, "buffers.server.max-requests=1")) {
            assertFailuresAfterStartAsyncAreAnswered(application);
        }
    }

    /** In an application that works at one request at most. */
    static void assertFailuresAfterStartAsyncAreAnswered(RunningApplication application) throws Exception {
        for (String path : List.of("/started", "/started/dispatched")) {
            int before = FAILED_AFTER_START.get();
            while (FAILED_AFTER_START.get() == before) { // else the place was still taken
                assertUnavailable(application.begin(path).get(300, TimeUnit.SECONDS));
            }
            assertEquals(200, statusOnceThereIsRoom(application, "/hello"));
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void requestsBeyondLimitAreUnavailableUntilOneEnds(String server) throws Exception {
        try (RunningApplication application = start(server, Busy.class, "buffers.server.max-requests=2")) {
            for (int i = 0; i < 3; i++) {
                Blocked one = Blocked.begin(application, "/blocked");
                Blocked other = Blocked.begin(application, "/asynchronous");
                assertUnavailable(application.response("/hello"));
                assertUnavailable(application.response("/exhausted"));
                one.end();
                other.end();
            }
            for (int i = 0; i < 10; i++) {
                assertEquals(500, statusOnceThereIsRoom(application, "/broken"), "one that fails gives its place back");
            }
        }
    }

    /** A request that the application has begun to serve. */
    private record Blocked(CompletableFuture<HttpResponse<String>> response, CountDownLatch latch) {

        /** Requests again while the server is full: the earlier request gives its place back after its response has been sent. */
        static Blocked begin(RunningApplication application, String path) throws Exception {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            CompletableFuture<HttpResponse<String>> response = application.begin(path);
            CountDownLatch latch = BLOCKED.poll(5, TimeUnit.MILLISECONDS);
            while (latch == null) {
                assertTrue(System.nanoTime() - end < 0);
                if (response.isDone()) {
                    assertUnavailable(response.get());
                    response = application.begin(path);
                }
                latch = BLOCKED.poll(5, TimeUnit.MILLISECONDS);
            }
            return new Blocked(response, latch);
        }

        void end() throws Exception {
            latch.countDown();
            assertEquals("done", response.get(300, TimeUnit.SECONDS).body());
        }
    }

    private static int statusOnceThereIsRoom(RunningApplication application, String path) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        int status = application.status(path);
        while (status == 503) {
            assertTrue(System.nanoTime() - end < 0);
            Thread.sleep(5);
            status = application.status(path);
        }
        return status;
    }

    @Test
    void limitMustBePositive() {
        assertThrows(
                Exception.class,
                () -> start(servers().get(0), Busy.class, "buffers.server.max-requests=0")
                        .close());
    }

    @Test
    void beanHearsOfLeaks() throws Exception {
        try (RunningApplication application = start(servers().get(0), Listening.class)) {
            lose(application.pools().pool());
            LeakReport report = null;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
            while (report == null && System.nanoTime() - end < 0) {
                System.gc();
                report = Listening.LEAKS.poll(100, TimeUnit.MILLISECONDS);
            }
            assertTrue(report != null && report.lost());
        }
    }

    private static void lose(BufferPool pool) {
        pool.acquire(4096);
    }
}
