/** The pool in a Spring Boot application: its embedded server, its settings, its meters, its actuator. */
@NullMarked
package dev.buffers.springboot;

import org.jspecify.annotations.NullMarked;
