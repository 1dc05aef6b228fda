// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.tomcat;

import java.lang.reflect.Field;
import org.apache.catalina.connector.RequestFacade;
import org.apache.coyote.AbstractProcessor;

/** The connection of a request, which Tomcat shows no application. */
final class Wrappers {
    private Wrappers() {}

    static Object of(RequestFacade facade) {
        try {
            Object request = field(RequestFacade.class, "request").get(facade);
            Object coyote = request.getClass().getMethod("getCoyoteRequest").invoke(request);
            Object hook = field(org.apache.coyote.Request.class, "hook").get(coyote);
            return field(AbstractProcessor.class, "socketWrapper").get(hook);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
