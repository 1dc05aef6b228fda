// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import dev.buffers.tomcat.PooledHttp11NioProtocol;
import org.apache.catalina.startup.Tomcat;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/** What puts Tomcat on the pools. */
@AutoConfiguration(after = BuffersAutoConfiguration.class)
@ConditionalOnClass({Tomcat.class, TomcatWebServerFactory.class})
@ConditionalOnBean(ServerBufferPools.class)
@ImportRuntimeHints(BuffersTomcatAutoConfiguration.Hints.class)
class BuffersTomcatAutoConfiguration {

    @Bean
    ServerAdapter tomcatBufferPoolAdapter() {
        return new TomcatAdapter();
    }

    /** Tomcat makes the protocol from its name and sets its attributes by name. */
    static final class Hints implements RuntimeHintsRegistrar {
        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            hints.reflection()
                    .registerType(
                            PooledHttp11NioProtocol.class,
                            MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS,
                            MemberCategory.INVOKE_PUBLIC_METHODS);
        }
    }
}
