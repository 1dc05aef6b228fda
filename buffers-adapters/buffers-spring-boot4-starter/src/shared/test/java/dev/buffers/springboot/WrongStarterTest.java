// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/** The log of an application with the starter for another Spring Boot. */
class WrongStarterTest {
    @Test
    void rightStarterIsNamed() {
        boolean four = ThisStarter.BOOT.equals("4");
        assertEquals(
                four
                        ? "this starter is for Spring Boot 4: version=3.5.16; accepted: dev.buffers:buffers-spring-boot3-starter"
                        : "this starter is for Spring Boot 3: version=4.0.9; accepted: dev.buffers:buffers-spring-boot4-starter",
                PoolCustomizer.wrongStarter(four ? "3.5.16" : "4.0.9"));
    }

    @Test
    void noneIsNamedForThisBootAndForUnknownOnes() {
        assertNull(PoolCustomizer.wrongStarter(SpringBootVersion.getVersion()));
        assertNull(PoolCustomizer.wrongStarter("2.7.18"));
        assertNull(PoolCustomizer.wrongStarter("5.0.0"));
        assertNull(PoolCustomizer.wrongStarter(null));
    }
}
