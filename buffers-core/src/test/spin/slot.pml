/*
 * The life of a slot, for exhaustive checking with Spin: acquire, release, further leases, revocation, retirement, a lost lease,
 * the hand-over to a waiter and the return stack of a channel. docs/proof.md lists the assumptions and the omissions; SlotModelTest
 * has the configurations and the planted faults, and checks that every step names a method that exists.
 *
 *   spin -a -DPASS -DWEAK slot.pml && gcc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m100000
 *
 * There are two memory models. In both each thread has a buffer of its stores, a load looks there first and then into memory, and the
 * process Memory moves stores from the buffers into memory at any time.
 *
 * Without WEAK, total store order, as x86-64 has: stores leave their buffer in order, loads are never early, and a locked instruction
 * waits until the buffer is empty.
 *
 * With WEAK, a model that allows what AArch64 and a compiler may do:
 *   - Stores to different locations leave their buffer in any order. A release store leaves it after all earlier stores; later stores may
 *     pass it. Stores become visible to all other threads at once, as on ARMv8.
 *   - A plain load may be early: it may return any value that its location has had since the last acquire of its thread (a volatile or
 *     acquire load, a compare-and-set or get-and-set, or the taking of a lock).
 *   - A compare-and-set reads as an acquire and writes as a release, and is a fence for nothing else: its store waits in the buffer, as
 *     with LDAXR and STLXR, and stores after it may become visible first. Until then no other thread can change the location.
 *   - Unlocking waits for all earlier stores.
 *
 * Every access to memory stands on a separate line, with the class and the method that makes it.
 *
 * A slot is one object of class Slot with its view. One piece of memory has several of them, one after the other: a slot that was revoked
 * is given up, and its memory gets a new object (Slab.take); and an unused region is cut anew.
 */

/* ---- what one configuration has; a macro of that name chooses it */

#ifdef PASS         /* two threads pass slots to each other, both have a magazine, and free slots are revoked */
#define USERS 2
#define ROUNDS 3
#define RECALLS 2
#define SLOTS 3
#define SLABS 1
#define CUT_AT_FIRST 1
#define UNUSED_TENANCIES
#endif

#ifdef REGION       /* the same for less long; slots return to their slab, and the unused region is cut anew */
#define USERS 2
#define ROUNDS 2
#define RECALLS 1
#define SLOTS 3
#define SLABS 2
#define CUT_AT_FIRST 1
#define CUT_ANEW
#define GO_HOME
#endif

#ifdef STALE        /* a lease that two threads end, while its slot goes on to other tenancies */
#define USERS 1
#define ENDERS 1
#define ROUNDS 3
#define RECALLS 1
#define SLOTS 2
#define SLABS 1
#define CUT_AT_FIRST 1
#define LEASE_IS_SHARED
#endif

#ifdef RACED        /* the same, but the lease reaches the second thread by a race: its slot may be lost, never shared */
#define USERS 1
#define ENDERS 1
#define ROUNDS 3
#define RECALLS 1
#define SLOTS 2
#define SLABS 1
#define CUT_AT_FIRST 1
#define LEASE_IS_SHARED
#define MAY_LOSE_VIEW
#endif

#ifdef FURTHER      /* a further lease, which another thread has, and one more that it makes; both threads end it; the tick drains */
#define USERS 1
#define ENDERS 1
#define ROUNDS 2
#define RECALLS 1
#define SLOTS 2
#define SLABS 1
#define CUT_AT_FIRST 1
#define FURTHER_LEASES
#define TICK
#endif

#ifdef RETIRED      /* discarded slots, and a slot in its last generations */
#define USERS 2
#define ROUNDS 2
#define RECALLS 2
#define SLOTS 2
#define SLABS 1
#define CUT_AT_FIRST 1
#define START (6 * GENERATION)
#define DISCARDS
#define UNUSED_TENANCIES
#endif

#ifdef LOST         /* leases that are lost, releasers that die on their way, slots that are dropped or discarded */
#define USERS 2
#define ROUNDS 2
#define RECALLS 2
#define SLOTS 2
#define SLABS 1
#define CUT_AT_FIRST 1
#define LOSES
#define DISCARDS
#endif

#ifdef HANDED       /* a release hands its slot to a waiter, whose patience may end; free slots are revoked */
#define USERS 1
#define WAITERS 1
#define ROUNDS 3
#define RECALLS 2
#define SLOTS 3
#define SLABS 1
#define CUT_AT_FIRST 1
#define GO_HOME
#endif

#ifdef STACK        /* a channel's thread hands two slots to two workers, whose releases push them on its return stack */
#define WORKERS 2
#if defined(WEAK) && !defined(FAULT_STACK_TAKEN_NOT_ACQUIRING)  /* that shows in the third round; three take too long for every state */
#define ROUNDS 2
#else
#define ROUNDS 3
#endif
#define RECALLS 1
#define SLOTS 3
#define SLABS 2
#define CUT_AT_FIRST 2
#endif

#ifndef USERS
#define USERS 0
#endif
#ifndef ENDERS
#define ENDERS 0
#endif
#ifndef WAITERS
#define WAITERS 0
#endif
#ifndef WORKERS
#define WORKERS 0
#endif
#ifndef START
#define START 0
#endif
#ifdef STACK
#define THREADS 3
#define MEMORY_OF(slab) (slab)      /* two slabs, each of one slot */
#define MEMORIES 2
#else
#define THREADS (USERS + ENDERS + WAITERS)
#define MEMORY_OF(slab) 0           /* one slab after the other on the same region */
#define MEMORIES 1
#endif

/* ---- Slot.state, with three bits of generation and two for further leases */

#define FIRST 1
#define HOLD 2
#define HELD 7
#define DRAIN 8
#define DISCARD 16
#define ENDING 32
#define REVOKED 64
#define GENERATION 128
#define SPENT 1024
#define BELOW_GENERATION 127

#define isFree(s) (((s) & BELOW_GENERATION) == 0)
#define isHeld(s) (((s) & HELD) != 0)
#define sameTenancy(a, b) (((a) & ~BELOW_GENERATION) == ((b) & ~BELOW_GENERATION))
#define isFirst(s, stamp) (sameTenancy(s, stamp) && ((s) & FIRST) != 0)
#ifdef FAULT_GENERATION
#define freeAfter(s) ((s) & ~BELOW_GENERATION)
#else
#define freeAfter(s) (((s) & ~BELOW_GENERATION) + GENERATION)
#endif
#ifdef FAULT_FREE_AT_ONCE
#define endingAfter(s) freeAfter(s)
#else
#define endingAfter(s) (freeAfter(s) | ENDING)
#endif
#define endsForGood(s) ((((s) | freeAfter(s)) & (DISCARD | SPENT)) != 0)

/* ---- memory, and the buffers before it */

#define STATE(o) (o)
#define VIEW(o) (SLOTS + (o))               /* 1: the slot's view is in it */
#define NEXT(o) (2 * SLOTS + (o))
#define DEPOT (3 * SLOTS)                   /* a slot, plus 1 */
#define HEAD (3 * SLOTS + 1)                /* of the return stack: a slot plus 1, or CLOSED */
#define TASK(t) (3 * SLOTS + 2 + (t))       /* what a thread is passed: a slot, plus 1 */
#define CELLS (3 * SLOTS + 2 + THREADS)
#define CLOSED 9
#ifdef STACK
#define DEPTH 6
#else
#define DEPTH 7
#endif

typedef Buffer {
    byte n;
    byte at[DEPTH];
    short value[DEPTH];
    bool release[DEPTH]
};

short memory[CELLS];
Buffer buffer[THREADS];

#ifdef WEAK
bool locked[SLOTS + 1];                     /* a compare-and-set on this state, or on HEAD, is in a buffer */
#define LOCK(a) ((a) < SLOTS -> (a) : SLOTS)

typedef Early {
    bool looks;                             /* there is a plain load before the next acquire */
    byte had[2 * SLOTS]                     /* bit v: since its last acquire this view, or `next`, has had the value v */
};
Early early[THREADS];
#endif

hidden byte i;
hidden byte j;

/* ---- what the lock of SlabStore guards; one slot in each slab */

byte slotOf[SLABS];     /* the slot at that place, plus 1; 0 when its object was given up */
bool home[SLABS];
bool gone[SLABS];
bool emptied[SLABS];
byte slabOf[SLOTS];
byte cut;               /* slots that exist */

/* ---- what the lock of WaitQueue guards */

bool waits;

/* ---- what one thread alone knows: Magazine.slots; a thread, plus 1 */

byte magazine[SLOTS];

/* ---- facts that no code knows: which thread may do what */

byte holder[MEMORIES];  /* the slot plus 1 whose tenancy has the memory */
byte tenancy[SLOTS];    /* which one it is */
byte open[SLOTS];       /* its leases that have not ended */
byte roots[SLOTS];      /* leases and threads that reach the view */
bool flag;              /* of the further lease that two threads have: it has not ended */
short stampOf;          /* the stamp and the tenancy of the lease that is passed */
byte idOf;
bool cleared[SLOTS];    /* the phantom reference will not be enqueued */
bool heard[SLOTS];      /* it was */
bool lost[SLOTS];       /* a lease was lost, or a releaser died */
bool counted[SLOTS];    /* LeakTracker.collect has counted that */
bool dropped[SLOTS];    /* a thread has dropped it from its list */
bool retired[SLOTS];
bool revoked[SLOTS];
bool depotFull;
byte running;           /* threads that have not ended */

/* ---- what a thread does with memory */

/* The following are parts of one step. */
inline put(a, x, last) {
    assert(buffer[me].n < DEPTH);
    buffer[me].at[buffer[me].n] = a;
    buffer[me].value[buffer[me].n] = x;
    buffer[me].release[buffer[me].n] = last;
    buffer[me].n++
}

inline own(a, x) {
    for (i : 0 .. DEPTH - 1) {
        if :: i < buffer[me].n && buffer[me].at[i] == (a) -> x = buffer[me].value[i] :: else fi
    }
    i = 0
}

#define hasAt(k, a) (k < buffer[me].n && buffer[me].at[k] == (a))
#define isBuffered(a) (hasAt(0, a) || hasAt(1, a) || hasAt(2, a) || hasAt(3, a) || hasAt(4, a) || hasAt(5, a) || hasLast(a))
#if DEPTH > 6
#define hasLast(a) hasAt(6, a)
#else
#define hasLast(a) false
#endif

inline acquired() {
#ifdef WEAK
    for (i : 0 .. 2 * SLOTS - 1) {
        early[me].had[i] = 0
    }
    i = 0;
    early[me].looks = 1
#else
    skip
#endif
}

/* No plain load comes before the next acquire. */
inline looksNoMore() {
#if defined(WEAK) && !defined(FAULT_BEGIN_NOT_ACQUIRING)
    d_step {
        for (i : 0 .. 2 * SLOTS - 1) {
            early[me].had[i] = 0
        }
        i = 0;
        early[me].looks = 0
    }
#else
    skip
#endif
}

/* A channel's thread can have more plain stores under way than a buffer has room for: then it waits. No other thread can. */
#if defined(WEAK) && defined(STACK)
#define hasRoom (buffer[me].n < DEPTH)
#else
#define hasRoom true
#endif

/* Whether a compare-and-set on this location can be made now, and its store. */
#ifdef WEAK
#define isUnlocked(a) (!locked[LOCK(a)])
#define canSet(a) (isUnlocked(a) && !isBuffered(a) && hasRoom)
#else
#define isUnlocked(a) true
#define canSet(a) (buffer[me].n == 0)
#endif

inline set(a, x) {
#ifdef WEAK
    put(a, x, 1);
    locked[LOCK(a)] = 1
#else
    memory[a] = x
#endif
}

/* A lock can be taken, and all that is done under it is one step. */
#define canLock (buffer[me].n == 0)
#ifdef WEAK
#define canTake true
#else
#define canTake (buffer[me].n == 0)
#endif

/* The following are steps. */
inline store(a, x) {
    d_step { hasRoom; put(a, x, 0) }
}

inline storeRelease(a, x) {
    d_step { hasRoom; put(a, x, 1) }
}

inline loadAcquire(a, x) {
    d_step {
        x = memory[a];
        own(a, x);
        acquired()
    }
}

#ifdef WEAK
#define hadBefore(a, x) (!isBuffered(a) && (early[me].had[(a) - SLOTS] & (1 << (x))) != 0)
#endif

/* A plain load of a view or of `next`. */
inline load(a, x) {
    atomic {
        if
        :: d_step { x = memory[a]; own(a, x) }
#ifdef WEAK
        :: hadBefore(a, 0) -> x = 0
        :: hadBefore(a, 1) -> x = 1
        :: hadBefore(a, 2) -> x = 2
        :: hadBefore(a, 3) -> x = 3
#endif
        fi
    }
}

inline storeView(o) {
    d_step {
        hasRoom;
        put(VIEW(o), 1, 0);
        roots[o]++
    }
}

inline cas(a, from, to, done) {
    d_step {
        canSet(a);
        done = (memory[a] == (from));
        acquired();
        if :: done -> set(a, to) :: else fi
    }
}

/* A store leaves its buffer. */
#define isBehind(t, k, j) (buffer[t].at[j] == buffer[t].at[k])
#ifdef WEAK
#define canLeave(t, k) (k < buffer[t].n && (k == 0 || !buffer[t].release[k]) \
    && (k < 1 || !isBehind(t, k, 0)) && (k < 2 || !isBehind(t, k, 1)) && (k < 3 || !isBehind(t, k, 2)) \
    && (k < 4 || !isBehind(t, k, 3)) && (k < 5 || !isBehind(t, k, 4)) && (k < 6 || !isBehind(t, k, 5)))
#else
#define canLeave(t, k) (k == 0 && buffer[t].n > 0)
#endif

inline leave(t, k) {
    d_step {
        canLeave(t, k);
#ifdef WEAK
        if
        :: buffer[t].at[k] >= VIEW(0) && buffer[t].at[k] < DEPOT ->
            for (j : 0 .. THREADS - 1) {
                if
                :: early[j].looks && j != t ->
                    early[j].had[buffer[t].at[k] - SLOTS] =
                        early[j].had[buffer[t].at[k] - SLOTS] | (1 << memory[buffer[t].at[k]])
                :: else
                fi
            }
            j = 0
        :: buffer[t].release[k] && (buffer[t].at[k] < SLOTS || buffer[t].at[k] == HEAD) ->
            locked[LOCK(buffer[t].at[k])] = 0
        :: else
        fi;
#endif
        memory[buffer[t].at[k]] = buffer[t].value[k];
        if
        :: buffer[t].at[k] >= VIEW(0) && buffer[t].at[k] < VIEW(SLOTS) && buffer[t].value[k] == 1 ->
            roots[buffer[t].at[k] - VIEW(0)]--
        :: else
        fi;
        for (i : 1 .. DEPTH - 1) {
            if
            :: i > k ->
                buffer[t].at[i - 1] = buffer[t].at[i];
                buffer[t].value[i - 1] = buffer[t].value[i];
                buffer[t].release[i - 1] = buffer[t].release[i]
            :: else
            fi
        }
        buffer[t].at[DEPTH - 1] = 0;
        buffer[t].value[DEPTH - 1] = 0;
        buffer[t].release[DEPTH - 1] = 0;
        buffer[t].n--;
        i = 0
    }
}

#if defined(WEAK) && DEPTH > 6
#define LEAVE(t) :: leave(t, 0) :: leave(t, 1) :: leave(t, 2) :: leave(t, 3) :: leave(t, 4) :: leave(t, 5) :: leave(t, 6)
#elif defined(WEAK)
#define LEAVE(t) :: leave(t, 0) :: leave(t, 1) :: leave(t, 2) :: leave(t, 3) :: leave(t, 4) :: leave(t, 5)
#else
#define LEAVE(t) :: leave(t, 0)
#endif

proctype Memory() {
endMemory:
    do
    LEAVE(0)
#if THREADS > 1
    LEAVE(1)
#endif
#if THREADS > 2
    LEAVE(2)
#endif
    od
}

#if THREADS > 2
#define isSettled (buffer[0].n + buffer[1].n + buffer[2].n == 0)
#elif THREADS > 1
#define isSettled (buffer[0].n + buffer[1].n == 0)
#else
#define isSettled (buffer[0].n == 0)
#endif

#define M(o) MEMORY_OF(slabOf[o])

/* ---- steps that several share */

/* Under the lock of SlabStore: the object of a slot, with a new view. */
inline newSlot(k) {
    emptied[k] = 0;
    slotOf[k] = cut + 1;
    slabOf[cut] = k;
    memory[STATE(cut)] = START;
    memory[VIEW(cut)] = 1;
    cut++
}

/* Slab.retire */
inline lose(o, did) {
    did = slotOf[slabOf[o]] == o + 1 && !home[slabOf[o]] && !gone[slabOf[o]] && !emptied[slabOf[o]];
    if :: did -> gone[slabOf[o]] = 1 :: else fi
}

/* A tenancy begins: by its compare-and-set, which has just succeeded. */
inline tenancyBegins(o) {
    assert(holder[M(o)] == 0);              /* no two holders have one memory */
    assert(!home[slabOf[o]] && !emptied[slabOf[o]] && slotOf[slabOf[o]] == o + 1 && !gone[slabOf[o]]);
    holder[M(o)] = o + 1;
    tenancy[o]++;
    open[o] = 1
}

/* A lease ends: by its compare-and-set, which has just succeeded and left the slot with these holds. */
inline leaseEnds(o, id, after) {
    assert(tenancy[o] == id);               /* S1: no thread ends another's tenancy */
    assert(open[o] > 0);                    /* P1: a lease ends once */
    open[o]--;
    if
    :: !isHeld(after) ->
        assert(open[o] == 0 && holder[M(o)] == o + 1);
        holder[M(o)] = 0
    :: else ->
        assert(open[o] > 0);
        roots[o]--
    fi
}

/* Begins a tenancy: `ok` says whether this thread has it. */
inline begin(o) {
#ifdef FAULT_BEGIN_NOT_ACQUIRING
    d_step { s = memory[STATE(o)]; own(STATE(o), s) };              /* Slot.begin */
#else
    loadAcquire(STATE(o), s);                                       /* Slot.begin */
#endif
    ok = 0;
    if
    :: isFree(s) ->
#ifdef FAULT_BEGIN_PLAINLY
        d_step { ok = 1; tenancyBegins(o) };
        store(STATE(o), s | FIRST)                                  /* Slot.begin */
#else
        d_step {
            canSet(STATE(o));                                       /* Slot.begin */
            ok = (memory[STATE(o)] == s);
#ifndef FAULT_BEGIN_NOT_ACQUIRING
            acquired();
#endif
            if :: ok -> set(STATE(o), s | FIRST); tenancyBegins(o) :: else fi
        }
#endif
    :: else
    fi
}

/* The winner takes the view: `v` says whether it was there. */
inline takeView(o) {
    atomic {
        load(VIEW(o), v);                                           /* SlabPool.acquire */
#ifndef MAY_LOSE_VIEW
        assert(v);                          /* S2: a free slot has its view */
#endif
        roots[o] = roots[o] + v
    };
    looksNoMore();
    store(VIEW(o), 0)                                               /* SlabPool.acquire */
}

/* Ends the lease of that stamp. `left` is NOT_OPEN, or the state without it. */
#define NOT_OPEN -1
#define FIRST_LEASE 0
#define FURTHER_LEASE 1             /* two threads have it: the one that takes its flag ends it */
#define FURTHER_LEASE_OF_ITS_OWN 2

inline endLease(o, stamp, id, kind, mark) {
    left = NOT_OPEN;
    ok = true;
#ifdef FAULT_VIEW_FIRST
    storeView(o);                                                   /* Lease.end */
#endif
    if
    :: kind == FURTHER_LEASE ->
#ifdef FAULT_FURTHER_TWICE
        ok = flag;                                               /* Lease.end */
        flag = 0                                                 /* Lease.end */
#else
        d_step { ok = flag; flag = 0 }                           /* Lease.end */
#endif
    :: else
    fi;
    if
    :: ok ->
#ifdef FAULT_END_PLAINLY
        loadAcquire(STATE(o), now);                                 /* Lease.end */
        ok = (now == (stamp));
        if
        :: ok ->
            d_step { left = ((stamp) - FIRST) | (mark); leaseEnds(o, id, left) };
            store(STATE(o), endingAfter(left))                      /* Lease.end */
        :: else
        fi;
#else
        d_step {
            canSet(STATE(o));                                       /* Lease.end */
            ok = (memory[STATE(o)] == (stamp) && ((stamp) & FIRST) != 0);
            acquired();
            if
            :: ok ->
                left = ((stamp) - FIRST) | (mark);
                set(STATE(o), endingAfter(left));
                leaseEnds(o, id, left)
            :: else
            fi
        };
#endif
        do
        :: ok -> break
        :: else ->
            loadAcquire(STATE(o), now);                             /* Slot.endHold */
            if
            :: (kind) == FIRST_LEASE && !isFirst(now, stamp) -> left = NOT_OPEN; break
            :: else ->
                d_step {
                    canSet(STATE(o));                               /* Slot.endHold */
                    ok = (memory[STATE(o)] == now);
                    acquired();
                    if
                    :: ok ->
                        left = (now - ((kind) == FIRST_LEASE -> FIRST : HOLD)) | (mark);
                        now = (isHeld(left) -> left : endingAfter(left));
                        set(STATE(o), now);
                        leaseEnds(o, id, left)
                    :: else
                    fi
                }
            fi
        od
    :: else
    fi;
    looksNoMore()
}

/* The view goes back, and the slot is free. */
inline free(o, held) {
#ifndef FAULT_VIEW_FIRST
#ifndef FAULT_FREE_BEFORE_VIEW
    storeView(o);                                                   /* Slot.free */
#endif
#endif
#if defined(FAULT_FREE_PLAINLY)
    store(STATE(o), freeAfter(held));                               /* Slot.free */
#elif !defined(FAULT_FREE_AT_ONCE)
    storeRelease(STATE(o), freeAfter(held));                        /* Slot.free */
#endif
#ifdef FAULT_FREE_BEFORE_VIEW
    storeView(o);                                                   /* Slot.free */
#endif
    roots[o]--
}

/* The tenancy `left` has ended, by this thread: the slot is retired, or free. */
inline putBack(o, left) {
    if
    :: endsForGood(left) ->
#ifdef FAULT_RETIRED_UNREACHABLE
        roots[o]--;
#endif
        d_step { canLock; retired[o] = 1; lose(o, ok) };            /* SlowRelease.retire */ /* SlabStore.retire */
        d_step { cleared[o] = 1; put(VIEW(o), 0, 0) };              /* Slot.detach */
#ifndef FAULT_RETIRED_UNREACHABLE
        roots[o]--
#endif
    :: else -> free(o, left)
    fi
}

/* Ends a tenancy whose lease was not made. The view is in the slot, or this thread has taken it. */
inline endUnused(o, hasView) {
    do
    :: loadAcquire(STATE(o), now);                                  /* Slot.endUnused */
        d_step {
            canSet(STATE(o));                                       /* Slot.endUnused */
            ok = (memory[STATE(o)] == now);
            acquired();
            if :: ok -> set(STATE(o), endingAfter(now)); open[o] = 0; holder[M(o)] = 0 :: else fi
        };
        if :: ok -> break :: else fi
    od;
    if
    :: !(hasView) ->
        atomic {
            load(VIEW(o), v);                                       /* Slot.endUnused */
            assert(v);
            roots[o]++;
            v = 0
        }
    :: else
    fi;
    looksNoMore();
    free(o, now)
}

/* Where a free slot goes that this thread owns. */
inline handOn(o) {
    if
    :: d_step { magazine[o] = me + 1 }                              /* Magazine.put */
#ifndef STACK
    :: d_step { !depotFull -> depotFull = 1 };
#ifdef FAULT_DEPOT_NOT_RELEASING
        store(DEPOT, o + 1)                                         /* Depot.putLoose */
#else
        storeRelease(DEPOT, o + 1)                                  /* Depot.putLoose */
#endif
#endif
#ifdef GO_HOME
    :: giveBack(o)
#endif
    fi;
    o = 0
}

inline giveBack(o) {
    d_step {
        canLock;                                                    /* SlabStore.giveBack */
        if
        :: slotOf[slabOf[o]] == o + 1 && !emptied[slabOf[o]] && !gone[slabOf[o]] ->
            assert(!home[slabOf[o]]);
            home[slabOf[o]] = 1
        :: else
        fi
    }
}

/* A slot for a thread that acquires. */
inline find(o) {
    if
    :: rounds > 0 && magazine[0] == me + 1 -> o = 0; magazine[0] = 0            /* Magazine.take */
#if SLOTS > 1
    :: rounds > 0 && magazine[1] == me + 1 -> o = 1; magazine[1] = 0            /* Magazine.take */
#endif
#if SLOTS > 2
    :: rounds > 0 && magazine[2] == me + 1 -> o = 2; magazine[2] = 0            /* Magazine.take */
#endif
#ifndef STACK
    :: d_step {
            rounds > 0 && canTake && memory[DEPOT] != 0 -> o = memory[DEPOT] - 1; /* Depot.takeLoose */
            memory[DEPOT] = 0;
            depotFull = 0
        }
#endif
    :: fromSlab(0, o)
#if SLABS > 1
    :: fromSlab(1, o)
#endif
    :: o = SLOTS
    fi
}

inline fromSlab(k, o) {
    d_step {
        rounds > 0 && canLock && home[k] && !gone[k] && !emptied[k] && (slotOf[k] != 0 || cut < SLOTS) -> /* SlabStore.take */
        if
        :: slotOf[k] == 0 -> newSlot(k)                             /* Slab.take */
        :: else
        fi;
        home[k] = 0;
        o = slotOf[k] - 1
    }
}

#if WAITERS > 0
/* Under the lock of WaitQueue. */
inline handOver(o) {
    loadAcquire(STATE(o), s);                                       /* Slot.begin */
    d_step {
        canLock && canSet(STATE(o));                                /* WaitQueue.handOver */
        ok = (waits && isFree(s) && memory[STATE(o)] == s);
        if
        :: ok ->
#ifdef FAULT_SERVED_WITHOUT_TENANCY
            waits = 0;
            idOf = tenancy[o] + 1;
#else
            memory[STATE(o)] = s | FIRST;
            tenancyBegins(o);
            waits = 0;
            idOf = tenancy[o];
#endif
            stampOf = s | FIRST
        :: else
        fi
    };
    looksNoMore();
    if
    :: ok -> storeRelease(TASK(1), o + 1)                           /* WaitQueue.handOver */
    :: else -> giveBack(o)
    fi;
    s = 0;
    ok = 0;
    o = 0
}
#endif

/* ---- threads that acquire and release */

#if USERS > 0
proctype User(byte me) {
    byte o;
    short s;
    short now;
    short left;
    byte v;
    byte id;
    byte passed;        /* STALE, RACED, FURTHER: has given the other thread its task */
    bool ok;
    byte rounds = ROUNDS;

again:
    atomic {
        find(o);
        if :: o == SLOTS -> o = 0; goto done :: else fi;
        rounds--
    };
#ifdef LOSES
    if
    :: true
    :: dropped[o] = 1; o = 0; goto again    /* a stack overflow: the slot is free, and in no list */
    fi;
#endif
    begin(o);
    if
    :: !ok -> s = 0; o = 0; looksNoMore(); goto again       /* it was revoked */
    :: ok -> ok = 0; id = tenancy[o]
    fi;
#ifdef UNUSED_TENANCIES
    if
    :: true
    :: true ->                              /* something is thrown before the lease is made */
        endUnused(o, false);
        goto unused
    fi;
#endif
    takeView(o);
    if
    :: v -> v = 0
    :: else -> s = 0; id = 0; o = 0; goto again             /* RACED: the slot is lost */
    fi;
#ifdef UNUSED_TENANCIES
    if
    :: true
    :: true -> endUnused(o, true); goto unused
    fi;
#endif
    s = s | FIRST;
    /* The lease is made, and used. */
#ifdef LEASE_IS_SHARED
    if
    :: !passed ->
        passed = 1;
        stampOf = s;
        idOf = id;
#if defined(RACED) || defined(FAULT_LEASE_PASSED_PLAINLY)
        store(TASK(1), o + 1)                                       /* Lease.slot */
#else
        storeRelease(TASK(1), o + 1)                                /* Lease.slot */
#endif
    :: true
    fi;
#endif
#ifdef FURTHER_LEASES
    if
    :: !passed ->
        do
        :: loadAcquire(STATE(o), now);                              /* Lease.further */
            assert(isFirst(now, s));
            d_step {
                canSet(STATE(o));                                   /* Lease.further */
                ok = (memory[STATE(o)] == now);
                acquired();
                if :: ok -> set(STATE(o), now + HOLD); open[o]++; roots[o]++; flag = 1 :: else fi
            };
            if :: ok -> break :: else fi
        od;
        looksNoMore();
        now = 0;
        ok = 0;
        passed = o + 1;
        stampOf = s & ~FIRST;
        idOf = id;
        storeRelease(TASK(1), o + 1)                                /* Lease.slot */
    :: true
    fi;
#endif
    if
    :: true -> endLease(o, s, id, FIRST_LEASE, 0)
#ifdef DISCARDS
    :: true -> endLease(o, s, id, FIRST_LEASE, DISCARD)
#endif
#ifdef LOSES
    :: d_step { lost[o] = 1; open[o] = 0; roots[o]-- };
        s = 0;
        id = 0;
        o = 0;
        goto again
#endif
    fi;
settle:
    s = 0;
    now = 0;
    ok = 0;
    id = 0;
    if
    :: left == NOT_OPEN || isHeld(left)
#ifdef LOSES
    :: left != NOT_OPEN && !isHeld(left) -> /* the releaser dies: a stack overflow */
#ifdef FAULT_RETIRED_FORGETS_FIRST
        d_step { cleared[o] = endsForGood(left) };                  /* Slot.detach */
#endif
        d_step { lost[o] = 1; roots[o]-- }
#endif
    :: left != NOT_OPEN && !isHeld(left) ->
        putBack(o, left);
        if
        :: endsForGood(left)
        :: else ->
#if WAITERS > 0
            if
            :: handOver(o)
            :: handOn(o)
            fi
#else
            handOn(o)
#endif
        fi
    fi;
    left = 0;
    ok = 0;
    o = 0;
#ifdef FURTHER_LEASES
    if
    :: passed > 0 && passed < 9 ->          /* ends the other thread's further lease too */
        o = passed - 1;
        passed = 9;
        endLease(o, stampOf, idOf, FURTHER_LEASE, 0);
        goto settle
    :: true
    fi;
#endif
    goto again;
#ifdef UNUSED_TENANCIES
unused:
    s = 0;
    d_step { now = 0; ok = 0; id = 0 };
    handOn(o);
    goto again;
#endif
done:
    running--
}
#endif

/* ---- a thread that waits, and is served by a release */

#if WAITERS > 0
proctype Waiter(byte me) {
    byte o;
    short s;
    short now;
    short left;
    byte v;
    byte id;
    bool ok;
    bool late;

    if
    :: d_step { canLock && waits && running == 1 && isSettled -> waits = 0 }; goto done     /* WaitQueue.remove */
#ifdef FAULT_LEAVES_UNASKED
    :: d_step { canLock -> waits = 0 }; goto done                   /* WaitQueue.remove */
#else
    :: d_step { canLock && waits -> waits = 0 }; goto done          /* WaitQueue.remove */
#endif
    :: memory[TASK(me)] != 0                                        /* Waiting.await */
    fi;
    d_step { o = memory[TASK(me)] - 1; acquired(); s = stampOf; id = idOf };    /* Waiting.await */
    if
    :: true ->
        takeView(o);
        v = 0;
        endLease(o, s, id, FIRST_LEASE, 0);
        assert(left != NOT_OPEN);
        d_step { s = 0; now = 0; id = 0; ok = 0 };
        putBack(o, left);
        left = 0
    :: true ->                              /* something is thrown: the slot is passed on */
        endUnused(o, false);
        d_step { s = 0; now = 0; id = 0; ok = 0 }
    fi;
    giveBack(o);
done:
    atomic { o = 0; running-- }
}
#endif

/* ---- a thread that is passed a lease, which its owner may end as well */

#if ENDERS > 0
proctype Ender(byte me) {
    byte o;
    short s;
    short now;
    short left;
    byte id;
    bool ok;
    bool more;          /* has a second further lease */

    if
    :: memory[TASK(me)] != 0                                        /* Lease.slot */
    :: running == 1 && isSettled && memory[TASK(me)] == 0 -> goto done /* Lease.slot */
    fi;
    atomic { o = memory[TASK(me)] - 1; s = stampOf; id = idOf };    /* Lease.slot */
#ifdef FURTHER_LEASES
    if
    :: true
    :: true ->                              /* a further lease from a further lease */
        do
        ::
#ifdef FAULT_FURTHER_UNCHECKED
            if :: flag :: !flag -> break fi;                        /* Lease.further */
            loadAcquire(STATE(o), now);                             /* Lease.further */
#else
            loadAcquire(STATE(o), now);                             /* Lease.further */
            if :: sameTenancy(now, s) && isHeld(now) :: else -> break fi;
            if :: flag :: !flag -> break fi;                        /* Lease.further */
#endif
            d_step {
                canSet(STATE(o));                                   /* Lease.further */
                ok = (memory[STATE(o)] == now);
                acquired();
                if
                :: ok ->
                    assert(tenancy[o] == id && open[o] > 0);
                    set(STATE(o), now + HOLD);
                    open[o]++;
                    roots[o]++;
                    more = 1
                :: else
                fi
            };
            if :: more -> break :: else fi
        od;
        now = 0;
        ok = 0
    fi;
    endLease(o, s, id, FURTHER_LEASE, 0);
#else
    endLease(o, s, id, FIRST_LEASE, 0);
#endif
settle:
    now = 0;
    ok = 0;
    if
    :: left == NOT_OPEN || isHeld(left)
    :: else ->
        putBack(o, left);
        handOn(o)
    fi;
    left = 0;
    ok = 0;
#ifdef FURTHER_LEASES
    if
    :: more ->
        more = 0;
        o = memory[TASK(me)] - 1;                                   /* Lease.slot */
        endLease(o, s, id, FURTHER_LEASE_OF_ITS_OWN, 0);
        goto settle
    :: else
    fi;
#endif
done:
    atomic { o = 0; s = 0; id = 0; running-- }
}
#endif

#ifdef TICK
proctype Tick() {
    short now;
    bool ok;

    if
    :: cut > 0 -> now = memory[STATE(0)];                           /* Slot.drain */
#ifdef FAULT_DRAIN_PLAINLY
        if
        :: isHeld(now) -> memory[STATE(0)] = now | DRAIN            /* Slot.drain */
        :: else
        fi
#else
        d_step {
            isUnlocked(STATE(0));                                           /* Slot.drain */
            ok = isHeld(now) && memory[STATE(0)] == now;
            if :: ok -> memory[STATE(0)] = now | DRAIN :: else fi
        }
#endif
    :: true
    fi;
    d_step { now = 0; ok = 0 }
}
#endif

/* ---- a channel's thread, and the workers that release what it hands them */

#ifdef STACK
bool busy[THREADS];
bool silent;                /* the channel does nothing any more */
short stamps[THREADS];
byte ids[THREADS];

/* Gives back the slots of a stack. */
inline giveBackAll(first) {
    do
    :: first == 0 -> break
    :: first != 0 ->
        o = first - 1;
        load(NEXT(o), first);                                       /* SlabChannelBuffers.giveBack */
        store(NEXT(o), 0);                                          /* SlabChannelBuffers.giveBack */
        magazine[o] = me + 1                                        /* SlowRelease.giveBackFree */
    od;
    o = 0
}

proctype Channel(byte me) {
    byte o;
    short s;
    short now;
    short head;
    byte v;
    byte w;
    byte kept;
    bool ok;
    byte rounds = ROUNDS;

again:
    if
    :: rounds == 0 -> goto idle
    :: rounds > 0 -> rounds--
    :: rounds > 0 -> rounds--; goto idle
    fi;
    if
    :: kept == 0 ->
        loadAcquire(HEAD, head);                                    /* ReturnStack.takeAll */
        if
        :: head != 0 && head != CLOSED ->
            d_step {
                canSet(HEAD) -> kept = memory[HEAD];                /* ReturnStack.takeAll */
#ifndef FAULT_STACK_TAKEN_NOT_ACQUIRING
                acquired();
#endif
                set(HEAD, 0)
            }
        :: else
        fi;
        head = 0
    :: else
    fi;
    if
    :: kept != 0 ->
        o = kept - 1;
        load(NEXT(o), kept);                                        /* SlabChannelBuffers.takeKept */
        store(NEXT(o), 0)                                           /* SlabChannelBuffers.takeKept */
    :: else ->
        rounds++;
        find(o);
        rounds--;
        if :: o == SLOTS -> o = 0; goto again :: else fi
    fi;
    begin(o);
    if
    :: !ok -> s = 0; o = 0; goto again      /* it was revoked */
    :: ok -> ok = 0
    fi;
    takeView(o);
    v = 0;
    loadAcquire(HEAD, head);                                        /* ReturnStack.open */
    if
#ifdef FAULT_STACK_OPENED_TWICE
    :: true -> storeRelease(HEAD, 0)                                /* ReturnStack.open */
#else
    :: head == CLOSED -> storeRelease(HEAD, 0)                      /* ReturnStack.open */
    :: else
#endif
    fi;
    head = 0;
    if
    :: d_step { !busy[1] -> w = 1 }
    :: d_step { !busy[2] -> w = 2 }
    fi;
    d_step { busy[w] = 1; stamps[w] = s | FIRST; ids[w] = tenancy[o] };
    storeRelease(TASK(w), o + 1);                                   /* Lease.slot */
    w = 0;
    s = 0;
    o = 0;
    goto again;

idle:
#ifdef FAULT_STACK_CLOSED_PLAINLY
    loadAcquire(HEAD, head);                                        /* ReturnStack.close */
    storeRelease(HEAD, CLOSED);                                     /* ReturnStack.close */
#else
    atomic {
        canSet(HEAD) -> head = memory[HEAD];                        /* ReturnStack.close */
        acquired();
        set(HEAD, CLOSED)
    };
#endif
    if :: head == CLOSED -> head = 0 :: else fi;
    giveBackAll(head);
    giveBackAll(kept);
    looksNoMore();
    if
    :: rounds > 0 -> goto again
    :: rounds == 0 -> silent = 1; running--
    fi
}

proctype Worker(byte me) {
    byte o;
    short s;
    short now;
    short left;
    short head;
    byte id;
    bool ok;

again:
    if
    :: d_step {
            memory[TASK(me)] != 0 -> o = memory[TASK(me)] - 1;      /* Lease.slot */
            memory[TASK(me)] = 0;
            busy[me] = 0;
            s = stamps[me];
            id = ids[me]
        }
    :: silent && !busy[me] -> goto done
    fi;
    endLease(o, s, id, FIRST_LEASE, 0);
    assert(left != NOT_OPEN);
    d_step { s = 0; now = 0; id = 0; ok = 0 };
    putBack(o, left);
    left = 0;
push:
    loadAcquire(HEAD, head);                                        /* ReturnStack.push */
    looksNoMore();
    if
    :: true -> handOn(o)                                            /* ReturnStack.push */
    :: head != CLOSED ->
        store(NEXT(o), head);                                       /* ReturnStack.push */
#if defined(FAULT_STACK_PUSHED_PLAINLY)
        storeRelease(HEAD, o + 1);                                  /* ReturnStack.push */
        ok = 1;
#elif defined(FAULT_STACK_PUSH_NOT_RELEASING)
        d_step {
            canSet(HEAD);                                           /* ReturnStack.push */
            ok = (memory[HEAD] == head);
            if :: ok -> memory[HEAD] = o + 1 :: else fi
        };
#else
        cas(HEAD, head, o + 1, ok);                                 /* ReturnStack.push */
        looksNoMore();
#endif
        if
        :: !ok -> goto push
        :: ok -> ok = 0
        fi
    fi;
    head = 0;
    o = 0;
    goto again;
done:
    running--
}
#endif

/* ---- the collector, and LeakTracker.collect after it */

#ifdef LOSES
bool collecting;

#define isUnreachable(o) (o < cut && !cleared[o] && !heard[o] && memory[VIEW(o)] == 0 && roots[o] == 0)
#define nothingHeard (!collecting && !isUnreachable(0) && !isUnreachable(1))

inline collect() {
    d_step {
#ifdef FAULT_ENDING_IS_NOT_LOST
        if
        :: isHeld(memory[STATE(o)]) -> lose(o, did)                 /* LeakTracker.collect */
        :: else
        fi;
#else
        lose(o, did);                                               /* LeakTracker.collect */
#endif
        if
        :: did ->
            assert(open[o] == 0);           /* I8: no lease is open */
            assert(lost[o]);                /* and one was */
            assert(!counted[o]);
            counted[o] = 1
        :: else
        fi;
        did = 0;
        o = 0;
        collecting = 0
    }
}

proctype Collector() {
    byte o;
    bool did;

endCollector:
    do
    :: d_step { isUnreachable(0) -> heard[0] = 1; collecting = 1; o = 0 };
        collect()
    :: d_step { isUnreachable(1) -> heard[1] = 1; collecting = 1; o = 1 };
        collect()
    od
}
#else
#define nothingHeard true
#endif

/* ---- a thread that takes memory back. All that it does with a slot, it does under the lock of SlabStore. */

#ifdef FAULT_REVOKE_HELD
#define canRevoke(s) (((s) & (ENDING | REVOKED)) == 0)
#elif defined(FAULT_REVOKE_ENDING)
#define canRevoke(s) (((s) & (HELD | REVOKED)) == 0)
#else
#define canRevoke(s) isFree(s)
#endif

#define isOut(o) (slotOf[slabOf[o]] == o + 1 && !home[slabOf[o]] && !gone[slabOf[o]] && !emptied[slabOf[o]])

/* A slot that can be found has a list, unless it was lost or dropped. */
#define isListed(o) (o >= cut || !isOut(o) || isHeld(memory[STATE(o)]) || magazine[o] != 0 || memory[DEPOT] == o + 1 \
    || dropped[o] || lost[o])

#define isRevocable(o) (o < cut && isOut(o) && isFree(memory[STATE(o)]))

#if SLOTS > 2
#define nothingIsRevocable (!isRevocable(0) && !isRevocable(1) && !isRevocable(2))
#else
#define nothingIsRevocable (!isRevocable(0) && !isRevocable(1))
#endif

#define isGivenUp(o) (retired[o] || slotOf[slabOf[o]] != o + 1 || emptied[slabOf[o]])
#ifdef MAY_LOSE_VIEW
#define isAccounted(k) (home[k] || gone[k] || emptied[k] || isHeld(memory[STATE(slotOf[k] - 1)]))
#else
#define isAccounted(k) (home[k] || gone[k] || emptied[k])
#endif

/* Slab.revoke */
inline revoke(o) {
    assert(holder[M(o)] == 0);              /* no two holders have one memory: the slab may give it to another now */
    revoked[o] = 1;
    slotOf[slabOf[o]] = 0;
    home[slabOf[o]] = 1;
    cleared[o] = 1;
#ifndef FAULT_REVOKED_KEEPS_VIEW
    memory[VIEW(o)] = 0                                             /* Slot.detach */
#endif
}

proctype Recaller() {
    byte o;
    short before;
    byte takes = RECALLS;
    bool last;

next:
    atomic { o = 0; before = 0 };
    if
    :: !last && takes > 0 && cut > 0 -> takes--; o = 0
#if SLOTS > 1
    :: !last && takes > 0 && cut > 1 -> takes--; o = 1
#endif
#if SLOTS > 2
    :: !last && takes > 0 && cut > 2 -> takes--; o = 2
#endif
    :: !last && running == 0 && isSettled ->
        d_step {
            last = 1;
            takes = 0;
            for (i : 0 .. SLOTS - 1) {
                assert(isListed(i))
            }
            i = 0
        };
        goto next
    :: last && isRevocable(0) -> o = 0
#if SLOTS > 1
    :: last && isRevocable(1) -> o = 1
#endif
#if SLOTS > 2
    :: last && isRevocable(2) -> o = 2
#endif
    :: last && nothingIsRevocable && nothingHeard -> goto check
    fi;

    before = memory[STATE(o)];                                      /* Slot.revoke */
    if :: !canRevoke(before) -> goto next :: else fi;
#ifdef FAULT_REVOKE_PLAINLY
    d_step {
        if
        :: isOut(o) -> memory[STATE(o)] = before | REVOKED; revoke(o)   /* Slot.revoke */
        :: else
        fi
    };
#else
    d_step {
        isUnlocked(STATE(o));                                               /* Slot.revoke */
        if
        :: isOut(o) && memory[STATE(o)] == before -> memory[STATE(o)] = before | REVOKED; revoke(o)
        :: else
        fi
    };
#endif
    goto next;

check:                  /* what must be so once nothing moves any more and everything that is free was revoked */
    atomic {
        for (i : 0 .. SLOTS - 1) {
            if
            :: i < cut ->
                assert(!isGivenUp(i) || memory[VIEW(i)] == 0);      /* I9: it reaches its region no more */
                assert(lost[i] == counted[i]);                      /* I8: lost slots are counted, and nothing else */
            :: else
            fi
        }
        for (i : 0 .. SLABS - 1) {
            assert(isAccounted(i))
        }
        i = 0
    }
}

/* ---- an unused region is cut anew */

#ifdef CUT_ANEW
proctype Cutter() {
    if
    :: d_step {
            home[0] && !gone[0] && !emptied[0] && cut < SLOTS ->
            emptied[0] = 1;
            home[0] = 0;
            if
            :: slotOf[0] != 0 ->
                i = slotOf[0] - 1;
                cleared[i] = 1;
                memory[VIEW(i)] = 0                                 /* Slab.dissolve */
            :: else
            fi;
            slotOf[0] = 0;
            newSlot(1);
            home[1] = 1;
            i = 0
        }
    :: true
    fi
}
#endif

init {
    atomic {
#if SLABS > 1
        emptied[1] = 1;                     /* not cut yet */
#endif
        newSlot(0);
#if CUT_AT_FIRST > 1
        newSlot(1);
        home[1] = 1;
#endif
        home[0] = 1;
        memory[HEAD] = CLOSED;
        running = THREADS;
#if defined(WEAK) && defined(FAULT_BEGIN_NOT_ACQUIRING)
        early[0].looks = 1;
        early[1].looks = 1;
#endif
#if WAITERS > 0
        waits = 1;
        run Waiter(1);
#endif
        run Memory();
#ifdef STACK
        run Channel(0);
        run Worker(1);
        run Worker(2);
#else
        run User(0);
#if USERS > 1
        run User(1);
#endif
#if ENDERS > 0
        run Ender(1);
#endif
#endif
        run Recaller();
#ifdef TICK
        run Tick();
#endif
#ifdef CUT_ANEW
        run Cutter();
#endif
#ifdef LOSES
        run Collector();
#endif
    }
}
