package dev.buffers.bench.net;

import java.lang.System.Logger.Level;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The log of a server's errors, which never throws: no loop ends because a line could not be logged. Any threads. */
public final class ErrorLog {
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final System.Logger log;
    private final AtomicLong next = new AtomicLong(System.nanoTime());

    /**
     * Makes one. The first line of a JVM's log reads the logger's settings and the time zones from files. Without a file descriptor that
     * fails, and what has failed to initialise once never works again in that JVM: so both are read here.
     */
    @SuppressWarnings("ReturnValueIgnored") // what counts is that they are asked
    public ErrorLog(Class<?> server) {
        log = System.getLogger(server.getName());
        log.isLoggable(Level.ERROR);
        ZoneId.systemDefault();
    }

    /** Logs an error, if that can be. */
    public void error(String what, Throwable e) {
        try {
            log.log(Level.ERROR, what, e);
        } catch (RuntimeException | Error unloggable) {
            // no memory or no descriptor is left for it, as most likely for what failed
        }
    }

    /** Logs that a connection could not be accepted; at most once in ten seconds, since the next one cannot either. */
    public void refused(Throwable e) {
        long now = System.nanoTime();
        long due = next.get();
        if (now - due >= 0 && next.compareAndSet(due, now + SILENCE_NANOS)) {
            error("cannot accept a connection", e);
        }
    }
}
