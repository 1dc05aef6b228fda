// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.buffers.BufferPool;
import dev.buffers.internal.signals.PoolName;
import dev.buffers.support.BareOwner;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class ExposureTest {
    @Test
    void endFreesNameOfPoolAndNoOther() {
        BareOwner first = new BareOwner();
        Exposure exposure = new Exposure(first);
        assertTrue(PoolName.open().contains(first.name()));
        exposure.run();
        assertFalse(PoolName.open().contains(first.name()));
        BareOwner second = new BareOwner();
        assertEquals(first.name(), second.name());
        exposure.run(); // again
        assertTrue(PoolName.open().contains(second.name()));
        second.ownedName().free();
    }

    /** Otherwise the beans of a new pool of that name would meet those of this one. */
    @Test
    void nameIsFreedAfterBeansAreGone() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        List<Boolean> taken = new ArrayList<>();
        NotificationListener listener = (notification, handback) -> {
            ObjectName name = ((MBeanServerNotification) notification).getMBeanName();
            if (notification.getType().equals(MBeanServerNotification.UNREGISTRATION_NOTIFICATION)
                    && "exposed-beans".equals(name.getKeyProperty("name"))) {
                taken.add(PoolName.open().contains("exposed-beans"));
            }
        };
        server.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener, null, null);
        try {
            BufferPool.builder("exposed-beans").policy("heap").jmx(true).build().close();
        } finally {
            server.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener);
        }
        assertFalse(taken.isEmpty());
        assertFalse(taken.contains(false));
    }
}
