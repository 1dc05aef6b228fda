// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.springboot;

import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.core.env.Environment;

/**
 * The actuator's endpoints on the application's port, below the path of Spring's dispatcher servlet: all of them, or, if they have a
 * separate port, those with an additional path on this one.
 *
 * <p>Any thread. Looked up by the first request, since the endpoints are made after the filters.
 */
final class ManagementPaths implements UnlimitedPaths {
    private final ObjectProvider<PathMappedEndpoints> endpoints;
    private final Environment environment;
    private volatile @Nullable Set<String> paths;

    ManagementPaths(ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
        this.endpoints = endpoints;
        this.environment = environment;
    }

    @Override
    public boolean has(HttpServletRequest request) {
        String info = request.getPathInfo();
        String path = info == null ? request.getServletPath() : request.getServletPath() + info;
        return paths().stream().anyMatch(each -> path.equals(each) || path.startsWith(each + "/"));
    }

    private Set<String> paths() {
        Set<String> known = paths;
        if (known == null) {
            known = find();
            paths = known;
        }
        return known;
    }

    private Set<String> find() {
        Set<String> found = new LinkedHashSet<>();
        String servlet = withoutSlash(environment.getProperty("spring.mvc.servlet.path", ""));
        boolean samePort = ManagementPortType.get(environment) == ManagementPortType.SAME;
        endpoints.ifAvailable(all -> {
            String base = withoutSlash(all.getBasePath());
            if (samePort && !base.isEmpty()) {
                found.add(servlet + base);
            }
            if (samePort) {
                all.getAllPaths().forEach(path -> found.add(servlet + path));
            }
            all.stream()
                    .flatMap(each -> each.getAdditionalPaths(WebServerNamespace.SERVER).stream())
                    .forEach(path -> found.add(servlet + path));
        });
        return found;
    }

    private static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
