// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.jvm;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A JVM of this machine that this process did not start, seen through its management beans. */
public final class AttachedJvm implements AutoCloseable {
    private static final ObjectName POOLS = pools();

    private final long pid;
    private final JMXConnector connector;
    private final MBeanServerConnection beans;
    private final MemoryMXBean memory;
    private final BufferPoolMXBean direct;

    private AttachedJvm(long pid, JMXConnector connector) throws IOException {
        this.pid = pid;
        this.connector = connector;
        this.beans = connector.getMBeanServerConnection();
        this.memory = ManagementFactory.getPlatformMXBean(beans, MemoryMXBean.class);
        this.direct = ManagementFactory.newPlatformMXBeanProxy(
                beans, "java.nio:type=BufferPool,name=direct", BufferPoolMXBean.class);
    }

    private static ObjectName pools() {
        try {
            return new ObjectName("dev.buffers:type=Pool,*");
        } catch (JMException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Attaches to the JVM with that process id, of the same user. */
    @SuppressWarnings("BanJNDI") // the address is that of an agent in that JVM
    public static AttachedJvm attach(long pid) throws IOException {
        try {
            VirtualMachine jvm = VirtualMachine.attach(String.valueOf(pid));
            try {
                return new AttachedJvm(
                        pid, JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent())));
            } finally {
                jvm.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("no JVM of this user: pid=" + pid, e);
        }
    }

    /** The program that it runs, without its arguments. */
    public String program() throws IOException {
        String command = ManagementFactory.getPlatformMXBean(beans, RuntimeMXBean.class)
                .getSystemProperties()
                .getOrDefault("sun.java.command", "unknown");
        String program = command.split(" ", 2)[0];
        return program.substring(program.lastIndexOf('/') + 1);
    }

    /** As it is. */
    public Footprint now() throws IOException {
        return new Footprint(
                memory.getHeapMemoryUsage().getUsed(),
                direct.getMemoryUsed(),
                Footprint.residentBytes(Path.of("/proc/" + pid + "/status")));
    }

    /** After one collection. */
    public Footprint collected() throws IOException, InterruptedException {
        memory.gc();
        Footprint.awaitStill(direct::getMemoryUsed);
        return now();
    }

    /** Whether it has pools of this library. */
    public boolean hasPools() throws IOException {
        return !beans.queryNames(POOLS, null).isEmpty();
    }

    /** The sum of an attribute of the beans of all pools of this library there. */
    public long sum(String attribute) throws IOException {
        try {
            long sum = 0;
            for (ObjectName pool : beans.queryNames(POOLS, null)) {
                sum += ((Number) beans.getAttribute(pool, attribute)).longValue();
            }
            return sum;
        } catch (JMException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
