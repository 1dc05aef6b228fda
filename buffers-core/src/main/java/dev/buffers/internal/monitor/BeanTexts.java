package dev.buffers.internal.monitor;

import java.util.Map;

/** What the beans say of themselves, of their attributes and of their operations, by the name of each. */
final class BeanTexts {
    /** The key of the text for the bean itself. */
    static final String BEAN = "";

    static final Map<String, String> OWN = Map.ofEntries(
            Map.entry(BEAN, "What a pool of byte buffers holds and has done"),
            Map.entry("Name", "Name of the pool, which no other open pool has"),
            Map.entry("Policy", "Name of the policy: which memory, and how it is cut"),
            Map.entry("Settings", "Every setting, one a line, with where it comes from"),
            Map.entry("MaxBytes", "The cap, in bytes; pools that set no max share one"),
            Map.entry(
                    "ReservedBytes", "Bytes of all regions in use or kept for use: leased, cached, uncarved and lost"),
            Map.entry("LeasedBytes", "Bytes of the buffers that are out on lease, counted as whole slots"),
            Map.entry("CachedBytes", "Bytes of all free slots, wherever they are cached"),
            Map.entry("UncarvedBytes", "Bytes of regions that belong to no slot"),
            Map.entry("LostBytes", "Bytes of slots that are never used again: their lease was lost or discarded"),
            Map.entry(
                    "DroppedBytes",
                    "Bytes that the pool has given up and the garbage collector has not taken yet; they count towards the cap"),
            Map.entry("Leases", "Buffers that are out on lease"),
            Map.entry("LeasesBySize", "Buffers that are out on lease, by the bytes of a slot"),
            Map.entry("Regions", "Allocations that make up the reserved bytes"),
            Map.entry("Slabs", "Regions that are cut into slots"),
            Map.entry("Waiters", "Threads and wake-ups that wait for room now"),
            Map.entry("Waits", "Waits for room of threads that have ended, served or not"),
            Map.entry("WaitedNanos", "How long those waits took in all, in nanoseconds"),
            Map.entry("Leaks", "Leases that were lost: dropped without a release"),
            Map.entry("TrimmedBytes", "Bytes given back because nobody had used them"),
            Map.entry("Acquires", "Acquires by where they found their memory; rejected: nowhere"),
            Map.entry("Releases", "Releases by what became of the memory; invalid: refused, the lease had ended"),
            Map.entry("trim", "Gives back all memory that is not leased; returns how many bytes"),
            Map.entry("dump", "A table of all this for a person to read, with the oldest open leases"));

    static final Map<String, String> STANDARD = Map.of(
            BEAN,
            "A pool of byte buffers, in the figures that the JVM gives of its own buffers",
            "Name",
            "Name of the pool, which no other open pool has",
            "Count",
            "Slots: buffers that are out on lease, and free ones",
            "TotalCapacity",
            "Bytes of all regions in use or kept for use",
            "MemoryUsed",
            "The same, with the regions that the garbage collector has not taken yet",
            "ObjectName",
            "Name of this bean");

    private BeanTexts() {}
}
