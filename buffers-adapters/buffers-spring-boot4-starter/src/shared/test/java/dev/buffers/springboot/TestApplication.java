// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An ordinary application, which names no class of this library. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(TestApplication.Greeting.class)
class TestApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(TestApplication.class, arguments);
    }

    @RestController
    static class Greeting {
        @GetMapping("/hello")
        String hello() {
            return "hello";
        }

        @PostMapping("/echo")
        byte[] echo(@RequestBody byte[] body) {
            return body;
        }
    }
}
