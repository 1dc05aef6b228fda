/*
 * A slot's life, for exhaustive checking with Spin: acquire, release, further leases, revoke, retirement, a lost lease, and
 * the return stack of a channel. docs/proof.md says what is assumed and what is left out; SlotModelTest holds the configurations and the
 * planted faults, SlotModelNamesTest checks that every step names a method that exists.
 *
 *   spin -a -DPASS slot.pml && gcc -O2 -DSAFETY -DCOLLAPSE -o pan pan.c && ./pan -m100000
 *
 * Each thread has a store buffer, as x86-64 has (total store order): a plain, opaque or release store goes into it, a load
 * looks into the thread's own buffer first and then into memory, and a locked instruction waits until it is empty. The
 * process Memory moves the oldest store of any thread into memory, at any time.
 *
 * Every access to memory stands on a line of its own, with the class and the method that makes it.
 *
 * A slot is one object of class Slot with its view. One piece of memory has several of them, one after the other: a slot
 * that was revoked is given up, and its memory gets a new one (Slab.take); and a region that is whole is cut anew.
 */

/* ---- what one configuration has; a macro of that name chooses it */

#ifdef PASS         /* two threads pass slots to each other, both keep a magazine, and free slots are revoked */
#define USERS 2
#define ROUNDS 3
#define RECALLS 2
#define SLOTS 3
#define SLABS 1
#define CUT_AT_FIRST 1
#endif

#ifdef REGION       /* the same for less long, slots go home, and the region is cut anew while it is whole */
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

#ifdef FURTHER      /* a further lease of another thread's, which makes one more; both threads end it; the tick drains */
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

#ifdef STACK         /* a channel's thread hands two slots to two workers, whose releases bring them back to its return stack */
#define WORKERS 2
#define ROUNDS 3
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
#define THREADS (USERS + ENDERS)
#define MEMORY_OF(slab) 0           /* one slab after the other on the same region */
#define MEMORIES 1
#endif

/* ---- Slot.state, with three bits of generation and two for further leases */

#define FIRST 1
#define HOLD 2
#define HELD 7
#define DRAIN 8
#define DISCARD 16
#define GENERATION 32
#define SPENT 256
#define IN_TENANCY 31

#define isHeld(s) (((s) & HELD) != 0)
#define isAbandoned(s) (((s) & (HELD | DRAIN)) == DRAIN)
#define sameTenancy(a, b) (((a) & ~IN_TENANCY) == ((b) & ~IN_TENANCY))
#define isFirst(s, stamp) (sameTenancy(s, stamp) && ((s) & FIRST) != 0)
#ifdef FAULT_GENERATION
#define afterLast(s) ((s) & ~IN_TENANCY)
#else
#define afterLast(s) (((s) & ~IN_TENANCY) + GENERATION)
#endif
#define endsForGood(s) ((((s) | afterLast(s)) & (DISCARD | SPENT)) != 0)

/* ---- memory, and the store buffers before it */

#define STATE(o) (o)
#define VIEW(o) (SLOTS + (o))               /* 1: the slot's view is in it */
#define NEXT(o) (2 * SLOTS + (o))
#define DEPOT (3 * SLOTS)                   /* a slot, plus 1 */
#define HEAD (3 * SLOTS + 1)                /* of the return stack: a slot plus 1, or CLOSED */
#define TASK(t) (3 * SLOTS + 2 + (t))       /* what a thread is passed: a slot, plus 1 */
#define CELLS (3 * SLOTS + 2 + THREADS)
#define CLOSED 9
#ifdef STACK
#define DEPTH 6                             /* 4 suffice, but a planted fault would meet its end there */
#else
#define DEPTH 4
#endif

typedef Buffer {
    byte n;
    byte due;           /* how many of these were there when Revocation's wait began */
    byte at[DEPTH];
    short value[DEPTH]
};

short memory[CELLS];
Buffer buffer[THREADS];
hidden byte i;
hidden byte j;

/* ---- what the lock of SlabStore guards; one slot in each slab */

byte slotOf[SLABS];     /* the slot at that place, plus 1; 0 when its object was given up */
bool home[SLABS];
bool gone[SLABS];
bool emptied[SLABS];
byte slabOf[SLOTS];
byte cut;               /* slots that exist */

/* ---- what one thread alone knows: Magazine.slots; a thread, plus 1 */

byte magazine[SLOTS];

/* ---- what no code knows: who may do what */

byte holder[MEMORIES];  /* the slot plus 1 whose tenancy has the memory */
byte tenancy[SLOTS];    /* which one it is */
byte open[SLOTS];       /* its leases that have not ended */
byte roots[SLOTS];      /* leases, stacks and entries of Revocation that reach the view */
bool flag;              /* of the further lease that two threads have: nobody has ended it */
short stampOf;          /* the stamp and the tenancy of the lease that is passed */
byte idOf;
bool cleared[SLOTS];    /* the phantom reference will not be enqueued */
bool heard[SLOTS];      /* it was */
bool lost[SLOTS];       /* a lease was lost, or a releaser died */
bool counted[SLOTS];    /* LeakTracker.collect has counted that */
bool dropped[SLOTS];    /* its owner has let it go, free and with its view in it */
bool retired[SLOTS];
bool between[SLOTS];    /* its owner has begun a tenancy, and neither has the view nor shows that it has not */
bool touched[SLOTS];    /* Revocation has taken its view at least once */
bool depotFull;
byte running;           /* threads that have not ended */


/* ---- what a thread does with memory */

inline store(a, x) {
    d_step {
        assert(buffer[me].n < DEPTH);
        buffer[me].at[buffer[me].n] = a;
        buffer[me].value[buffer[me].n] = x;
        buffer[me].n++
    }
}

inline load(a, x) {
    d_step {
        x = memory[a];
        for (i : 0 .. DEPTH - 1) {
            if :: i < buffer[me].n && buffer[me].at[i] == (a) -> x = buffer[me].value[i] :: else fi
        }
        i = 0
    }
}

inline storeView(o) {
    d_step {
        assert(buffer[me].n < DEPTH);
        buffer[me].at[buffer[me].n] = VIEW(o);
        buffer[me].value[buffer[me].n] = 1;
        buffer[me].n++;
        roots[o]++
    }
}

/* A locked instruction begins, or a lock is taken. */
#define locked (buffer[me].n == 0)

inline cas(a, from, to, done) {
    d_step {
        locked;
        done = (memory[a] == (from));
        if :: done -> memory[a] = to :: else fi
    }
}

inline drain(t) {
    d_step {
        buffer[t].n > 0;
        memory[buffer[t].at[0]] = buffer[t].value[0];
        if
        :: buffer[t].at[0] >= VIEW(0) && buffer[t].at[0] < VIEW(SLOTS) && buffer[t].value[0] == 1 ->
            roots[buffer[t].at[0] - VIEW(0)]--
        :: buffer[t].at[0] < VIEW(0) && isAbandoned(buffer[t].value[0]) ->
            between[buffer[t].at[0]] = 0
        :: else
        fi;
        for (i : 1 .. DEPTH - 1) {
            buffer[t].at[i - 1] = buffer[t].at[i];
            buffer[t].value[i - 1] = buffer[t].value[i]
        }
        buffer[t].at[DEPTH - 1] = 0;
        buffer[t].value[DEPTH - 1] = 0;
        buffer[t].n--;
        if :: buffer[t].due > 0 -> buffer[t].due-- :: else fi;
        i = 0
    }
}

proctype Memory() {
endMemory:
    do
    :: drain(0)
#if THREADS > 1
    :: drain(1)
#endif
#if THREADS > 2
    :: drain(2)
#endif
    od
}

/* Revocation's wait: until every store has drained that was buffered when it began. */
inline clock() {
    for (j : 0 .. THREADS - 1) {
        buffer[j].due = buffer[j].n
    }
    j = 0
}

#if THREADS > 2
#define allDrained (buffer[0].n + buffer[1].n + buffer[2].n == 0)
#define settled (buffer[0].due + buffer[1].due + buffer[2].due == 0)
#elif THREADS > 1
#define allDrained (buffer[0].n + buffer[1].n == 0)
#define settled (buffer[0].due + buffer[1].due == 0)
#else
#define allDrained (buffer[0].n == 0)
#define settled (buffer[0].due == 0)
#endif
#ifdef FAULT_NO_WAIT
#undef settled
#define settled true
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

/* A lease ends: by its compare-and-set, which has just succeeded and left the slot in that state. */
inline leaseEnds(o, id, after) {
    assert(tenancy[o] == id);               /* S1: nobody ends another's tenancy */
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
        d_step { locked; ok = flag; flag = 0 }                /* Lease.end */
#endif
    :: else
    fi;
    if
    :: ok ->
        d_step {
            locked;                                                 /* Slot.compareAndSetState */
            ok = (memory[STATE(o)] == (stamp));
            if
            :: ok ->
                left = ((stamp) - FIRST) | (mark);
                memory[STATE(o)] = afterLast(left);
                leaseEnds(o, id, afterLast(left))
            :: else
            fi
        };
        do
        :: ok -> break
        :: else ->
            load(STATE(o), now);                                    /* Slot.endHold */
            if
            :: (kind) == FIRST_LEASE && !isFirst(now, stamp) -> left = NOT_OPEN; break
            :: else ->
                d_step {
                    locked;                                         /* Slot.endHold */
                    ok = (memory[STATE(o)] == now);
                    if
                    :: ok ->
                        left = (now - ((kind) == FIRST_LEASE -> FIRST : HOLD)) | (mark);
                        memory[STATE(o)] = (isHeld(left) -> left : afterLast(left));
                        leaseEnds(o, id, memory[STATE(o)])
                    :: else
                    fi
                }
            fi
        od
    :: else
    fi
}

/* The tenancy `left` has ended, by this thread: the slot is retired, or gets its view back. */
inline putBack(o, left) {
    if
    :: endsForGood(left) ->
#ifdef FAULT_RETIRED_UNREACHABLE
        roots[o]--;
#endif
#ifdef FAULT_RETIRED_FORGETS_FIRST
        d_step { locked; cleared[o] = 1; memory[VIEW(o)] = 0 };     /* Slot.detach */
        d_step { locked; retired[o] = 1; lose(o, ok) };             /* SlowRelease.retire */ /* SlabStore.retire */
#else
        d_step { locked; retired[o] = 1; lose(o, ok) };             /* SlowRelease.retire */ /* SlabStore.retire */
        d_step { locked; cleared[o] = 1; memory[VIEW(o)] = 0 };     /* Slot.detach */
#endif
#ifndef FAULT_RETIRED_UNREACHABLE
        roots[o]--
#endif
    :: else ->
#ifndef FAULT_VIEW_FIRST
#ifndef FAULT_VIEW_LAST
        storeView(o);                                               /* SlabPool.takeBack */
#endif
#endif
        roots[o]--
    fi
}

/* Where a free slot goes that this thread owns. */
inline handOn(o) {
    if
    :: d_step { magazine[o] = me + 1 }                              /* Magazine.put */
#ifndef STACK
    :: d_step { !depotFull -> depotFull = 1 };
        store(DEPOT, o + 1)                                         /* Depot.putLoose */
#endif
#ifdef GO_HOME
    :: d_step {
            locked;                                                 /* SlabStore.giveBack */
            if
            :: emptied[slabOf[o]] -> cleared[o] = 1; memory[VIEW(o)] = 0
            :: slotOf[slabOf[o]] == o + 1 -> home[slabOf[o]] = 1
            :: else
            fi
        }
#endif
    fi;
#ifdef FAULT_VIEW_LAST
    storeView(o);                                                   /* SlabPool.takeBack */
#endif
    o = 0
}

/* The owner of a free slot begins a tenancy: `v` says whether it has the view, and with it the memory. */
inline begin(o) {
#ifdef FAULT_VIEW_BEFORE_STATE
    takeTheView(o);
    load(STATE(o), s);                                              /* Slot.beginAndTake */
    store(STATE(o), s | FIRST);                                     /* Slot.beginAndTake */
#else
    atomic {
        load(STATE(o), s);                                          /* Slot.beginAndTake */
        store(STATE(o), s | FIRST);                                 /* Slot.beginAndTake */
        between[o] = 1
    };
    takeTheView(o);
#endif
    if
    :: v -> store(VIEW(o), 0)                                       /* Slot.beginAndTake */
    :: else -> store(STATE(o), (s & ~FIRST) | DRAIN)                /* Slot.abandon */
    fi
}

inline takeTheView(o) {
    atomic {
        load(VIEW(o), v);                                           /* Slot.beginAndTake */
        if
        :: v ->
            between[o] = 0;
            assert(holder[M(o)] == 0);      /* I7: nobody else has this memory */
            assert(!home[slabOf[o]] && !emptied[slabOf[o]] && slotOf[slabOf[o]] == o + 1 && !gone[slabOf[o]]);
            holder[M(o)] = o + 1;
            tenancy[o]++;
            open[o] = 1;
            roots[o]++
        :: else ->
            assert(touched[o])              /* S2: a free slot that is handed on has its view, unless it was revoked */
        fi
    }
}

/* A slot for the owner to begin with. */
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
            rounds > 0 && locked && memory[DEPOT] != 0 -> o = memory[DEPOT] - 1; /* Depot.takeLoose */
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
        rounds > 0 && locked && home[k] && !gone[k] && !emptied[k] && (slotOf[k] != 0 || cut < SLOTS) -> /* SlabStore.take */
        if
        :: slotOf[k] == 0 -> newSlot(k)                             /* Slab.take */
        :: else
        fi;
        home[k] = 0;
        o = slotOf[k] - 1
    }
}

/* ---- threads that acquire and release */

#if USERS > 0
proctype User(byte me) {
    byte o;
    short s;
    short now;
    short left;
    byte v;
    byte id;
    byte passed;        /* STALE and FURTHER: has given the other thread its task */
    bool ok;
    byte rounds = ROUNDS;

again:
    atomic {
        find(o);
        if :: o == SLOTS -> o = 0; goto done :: else fi;
        rounds--
    };
    if
    :: true                                 /* it begins at once */
    :: atomic {                             /* or looks first */
            load(VIEW(o), v);                                       /* Slot.abandonIfRevoked */
            if
            :: v -> v = 0
            :: else -> goto revokedSlot
            fi
        }
#ifdef LOSES
    :: dropped[o] = 1; goto again           /* a stack overflow that put the state right again */
#endif
    fi;
    begin(o);
    if
    :: v -> v = 0; id = tenancy[o]
    :: else -> s = 0; o = 0; goto again
    fi;
    s = s | FIRST;
    /* The lease is made, and used. */
#ifdef LEASE_IS_SHARED
    if
    :: !passed ->
        passed = 1;
        stampOf = s;
        idOf = id;
        store(TASK(1), o + 1)                                       /* Lease.slot */
    :: true
    fi;
#endif
#ifdef FURTHER_LEASES
    if
    :: !passed ->
        do
        :: load(STATE(o), now);                                     /* Lease.further */
            assert(isFirst(now, s));
            d_step {
                locked;                                             /* Lease.further */
                ok = (memory[STATE(o)] == now);
                if :: ok -> memory[STATE(o)] = now + HOLD; open[o]++; roots[o]++; flag = 1 :: else fi
            };
            if :: ok -> break :: else fi
        od;
        now = 0;
        ok = 0;
        passed = o + 1;
        stampOf = s & ~FIRST;
        idOf = id;
        store(TASK(1), o + 1)                                       /* Lease.slot */
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
        d_step { lost[o] = 1; roots[o]-- }
#endif
    :: left != NOT_OPEN && !isHeld(left) ->
        putBack(o, left);
        if
        :: endsForGood(left)
        :: else -> handOn(o)
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
revokedSlot:
    load(STATE(o), s);                                              /* Slot.abandon */
    store(STATE(o), (s & ~FIRST) | DRAIN);                          /* Slot.abandon */
    s = 0;
    o = 0;
    goto again;
done:
    running--
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
    :: running == 1 && allDrained && memory[TASK(me)] == 0 -> goto done /* Lease.slot */
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
            load(STATE(o), now);                                    /* Lease.further */
#else
            load(STATE(o), now);                                    /* Lease.further */
            if :: sameTenancy(now, s) && isHeld(now) :: else -> break fi;
            if :: flag :: !flag -> break fi;                        /* Lease.further */
#endif
            d_step {
                locked;                                             /* Lease.further */
                ok = (memory[STATE(o)] == now);
                if
                :: ok ->
                    assert(tenancy[o] == id && open[o] > 0);
                    memory[STATE(o)] = now + HOLD;
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
        d_step {
            ok = isHeld(now) && memory[STATE(0)] == now;            /* Slot.drain */
            if :: ok -> memory[STATE(0)] = now | DRAIN :: else fi
        }
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
inline giveBack(first) {
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
    short head;
    byte v;
    byte w;
    byte kept;
    byte rounds = ROUNDS;

again:
    if
    :: rounds == 0 -> goto idle
    :: rounds > 0 -> rounds--
    :: rounds > 0 -> rounds--; goto idle
    fi;
    if
    :: kept == 0 ->
        load(HEAD, head);                                           /* ReturnStack.takeAll */
        if
        :: head != 0 && head != CLOSED ->
            d_step { locked; kept = memory[HEAD]; memory[HEAD] = 0 }    /* ReturnStack.takeAll */
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
    :: v -> v = 0
    :: else -> s = 0; o = 0; goto again
    fi;
    load(HEAD, head);                                               /* ReturnStack.open */
    if
#ifdef FAULT_STACK_OPENED_TWICE
    :: true -> store(HEAD, 0)                                       /* ReturnStack.open */
#else
    :: head == CLOSED -> store(HEAD, 0)                             /* ReturnStack.open */
    :: else
#endif
    fi;
    head = 0;
    if
    :: d_step { !busy[1] -> w = 1 }
    :: d_step { !busy[2] -> w = 2 }
    fi;
    d_step { busy[w] = 1; stamps[w] = s | FIRST; ids[w] = tenancy[o] };
    store(TASK(w), o + 1);                                          /* Lease.slot */
    w = 0;
    s = 0;
    o = 0;
    goto again;

idle:
#ifdef FAULT_STACK_CLOSED_PLAINLY
    load(HEAD, head);                                               /* ReturnStack.close */
    store(HEAD, CLOSED);                                            /* ReturnStack.close */
#else
    atomic { locked; head = memory[HEAD]; memory[HEAD] = CLOSED };  /* ReturnStack.close */
#endif
    if :: head == CLOSED -> head = 0 :: else fi;
    giveBack(head);
    giveBack(kept);
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
    load(HEAD, head);                                               /* ReturnStack.push */
    if
    :: true -> handOn(o)                                            /* ReturnStack.push */
    :: head != CLOSED ->
        store(NEXT(o), head);                                       /* ReturnStack.push */
#ifdef FAULT_STACK_PUSHED_PLAINLY
        store(HEAD, o + 1);                                         /* ReturnStack.push */
        ok = 1;
#else
        cas(HEAD, head, o + 1, ok);                                 /* ReturnStack.push */
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
#ifdef FAULT_FREE_IS_NOT_LOST
        if
        :: isHeld(memory[STATE(o)]) -> lose(o, did)                 /* LeakTracker.collect */
        :: else
        fi;
#else
        lose(o, did);                                               /* LeakTracker.collect */
#endif
        if
        :: did ->
            assert(open[o] == 0);           /* I8: nobody has the lease */
            assert(lost[o]);                /* nor was there none */
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

/* ---- Recall: one thread at a time has its lock, and its own store buffer is empty whenever it looks at a slot */

#define TAKEN 3

typedef Taken {
    byte slot;          /* plus 1; 0 when there is none */
    short state;
    bool view           /* Revocation reaches the view */
};

Taken taken[TAKEN];
short leftAlone[SLOTS]; /* the state, plus 1 */

#define isLeftAlone(o, s) (leftAlone[o] != 0 && sameTenancy(leftAlone[o] - 1, s) && !isAbandoned(s))

/* Whether Revocation.complete has anything to do with an entry. What is held is let go once its owner has looked for the view. */
#ifdef FAULT_LET_GO_AT_ONCE
#define mayLetGo(o) true
#else
#define mayLetGo(o) (!between[o])
#endif
#define slotAt(e) (taken[e].slot - 1)
#define isDue(e) (taken[e].slot != 0 && settled \
    && (!isHeld(memory[STATE(slotAt(e))]) || !sameTenancy(memory[STATE(slotAt(e))], taken[e].state) \
        || taken[e].view && mayLetGo(slotAt(e))))

#define nothingDue (!isDue(0) && !isDue(1) && !isDue(2))

/* What Revocation would take. */
#define isThere(o) (o < cut && !isHeld(memory[STATE(o)]) && memory[VIEW(o)] == 1 && !isLeftAlone(o, memory[STATE(o)]))

#if SLOTS > 2
#define nothingThere (!isThere(0) && !isThere(1) && !isThere(2))
#else
#define nothingThere (!isThere(0) && !isThere(1))
#endif

/* Slots that are neither lost nor given up have an owner who will find them: a magazine, the depot, the slab. */
#define isOwned(o) (o >= cut || isHeld(memory[STATE(o)]) || magazine[o] != 0 || memory[DEPOT] == o + 1 \
    || slotOf[slabOf[o]] != o + 1 || home[slabOf[o]] || gone[slabOf[o]] || emptied[slabOf[o]] \
    || isAbandoned(memory[STATE(o)]) || dropped[o] || lost[o])

/* A releaser died, but Revocation had put the view back for it just before: the slot lies there until the pool closes. */
#define isStranded(o) (!counted[o] && memory[VIEW(o)] == 1 && isLeftAlone(o, memory[STATE(o)]))

#define isGivenUp(o) (retired[o] || slotOf[slabOf[o]] != o + 1 || emptied[slabOf[o]])
#define isAccounted(k) (home[k] || gone[k] || emptied[k] \
    || isLeftAlone(slotOf[k] - 1, memory[STATE(slotOf[k] - 1)]))

proctype Recaller() {
    byte o;
    byte e;
    short before;
    short after;
    short now;
    byte v;
    byte takes = RECALLS;
    bool last;

next:
    atomic { o = 0; e = 0; before = 0; after = 0; now = 0; v = 0 };
    if
    :: !last && takes > 0 && cut > 0 -> takes--; o = 0
#if SLOTS > 1
    :: !last && takes > 0 && cut > 1 -> takes--; o = 1
#endif
#if SLOTS > 2
    :: !last && takes > 0 && cut > 2 -> takes--; o = 2
#endif
    :: isDue(0) -> e = 0; goto bringHome
    :: isDue(1) -> e = 1; goto bringHome
    :: isDue(2) -> e = 2; goto bringHome
    :: !last && running == 0 && allDrained ->
        d_step {
            last = 1;
            takes = 0;
            for (i : 0 .. SLOTS - 1) {
                assert(isOwned(i))
            }
            i = 0
        };
        goto next
    :: last && nothingDue && isThere(0) -> o = 0
#if SLOTS > 1
    :: last && nothingDue && isThere(1) -> o = 1
#endif
#if SLOTS > 2
    :: last && nothingDue && isThere(2) -> o = 2
#endif
    :: last && nothingDue && nothingThere && nothingHeard -> goto check
    fi;

    before = memory[STATE(o)];                                      /* Revocation.revoke */
    if :: isHeld(before) || isLeftAlone(o, before) -> goto next :: else fi;
    if
    :: memory[VIEW(o)] == 0 -> goto next                            /* Revocation.revoke */
    :: memory[VIEW(o)] != 0                                         /* Revocation.revoke */
    fi;
#ifdef FAULT_CLOCK_FIRST
    d_step { clock() };
#endif
swap:
#ifdef FAULT_PLAIN_SWAP
    v = memory[VIEW(o)];                                            /* Revocation.revoke */
    d_step {
        memory[VIEW(o)] = 0;                                        /* Revocation.revoke */
#else
    atomic {
        v = memory[VIEW(o)];                                        /* Revocation.revoke */
        memory[VIEW(o)] = 0;
#endif
        roots[o] = roots[o] + v;
        touched[o] = 1;
#ifndef FAULT_CLOCK_FIRST
        clock()
#endif
    };
    after = memory[STATE(o)];                                       /* Revocation.revoke */
    if
    :: v && !isHeld(after) && !sameTenancy(before, after) ->
        before = after;
        d_step {
#ifdef FAULT_GONE_REGION
            v = (memory[VIEW(o)] == 0);                             /* SlabStore.putViewBack */
#elif defined(FAULT_RETIRED_VIEW)
            v = (memory[VIEW(o)] == 0 && !emptied[slabOf[o]]);      /* SlabStore.putViewBack */
#else
            v = (memory[VIEW(o)] == 0 && !emptied[slabOf[o]] && !gone[slabOf[o]]); /* SlabStore.putViewBack */
#endif
            if :: v -> memory[VIEW(o)] = 1 :: else fi;
            v = 0
        };
        now = memory[STATE(o)];                                     /* Revocation.revoke */
        if
#ifdef FAULT_NO_SECOND_LOOK
        :: true -> roots[o]--; leftAlone[o] = after + 1; goto next
#elif defined(FAULT_LEFT_ALONE)
        :: !isHeld(now) && sameTenancy(now, after) -> roots[o]--; goto next
#else
        :: !isHeld(now) && sameTenancy(now, after) -> roots[o]--; leftAlone[o] = after + 1; goto next
#endif
#ifndef FAULT_NO_SECOND_LOOK
        :: else -> roots[o]--; goto swap
#endif
        fi
    :: v && (isHeld(after) || sameTenancy(before, after)) ->
        d_step {
            e = (taken[0].slot == 0 -> 0 : (taken[1].slot == 0 -> 1 : 2));
            assert(taken[e].slot == 0);
            taken[e].slot = o + 1;
            taken[e].state = after;
            taken[e].view = 1
        }
    :: else
    fi;
    goto next;

bringHome:
    atomic { o = slotAt(e); v = mayLetGo(o); now = memory[STATE(o)] };  /* Revocation.complete */
    if
    :: !sameTenancy(now, taken[e].state) ->
        d_step { roots[o] = roots[o] - taken[e].view; taken[e].slot = 0; taken[e].state = 0; taken[e].view = 0 }
    :: sameTenancy(now, taken[e].state) && isHeld(now) && !v
    :: sameTenancy(now, taken[e].state) && isHeld(now) && v ->
        d_step { roots[o] = roots[o] - taken[e].view; taken[e].view = 0 }
    :: sameTenancy(now, taken[e].state) && !isHeld(now) ->
#ifdef FAULT_RECALLED_UNREACHABLE
        d_step { roots[o] = roots[o] - taken[e].view; taken[e].view = 0 };
#endif
        d_step {
            cleared[o] = 1;
            memory[VIEW(o)] = 0;                                    /* SlabStore.revoked */
            if
            :: !emptied[slabOf[o]] && slotOf[slabOf[o]] == o + 1 && !gone[slabOf[o]] ->
                assert(holder[M(o)] == 0);  /* I7: the slab may give it to another now */
                slotOf[slabOf[o]] = 0;
                home[slabOf[o]] = 1
            :: else
            fi;
            roots[o] = roots[o] - taken[e].view;
            taken[e].slot = 0;
            taken[e].state = 0;
            taken[e].view = 0
        }
    fi;
    goto next;

check:                  /* what must be so once nothing moves any more and everything that is free was revoked */
    atomic {
        for (i : 0 .. SLOTS - 1) {
            if
            :: i < cut ->
                assert(!isGivenUp(i) || memory[VIEW(i)] == 0);      /* I9: it reaches its region no more */
                assert(lost[i] == counted[i] || isStranded(i));     /* I8: what was lost is counted, and nothing else */
            :: else
            fi
        }
        for (i : 0 .. SLABS - 1) {
            assert(isAccounted(i))
        }
        i = 0
    }
}

/* ---- a region that is whole is cut anew */

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
                touched[i] = 1;
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
