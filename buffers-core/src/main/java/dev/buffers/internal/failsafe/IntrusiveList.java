// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.failsafe;

import org.jspecify.annotations.Nullable;

/**
 * A list in order of arrival. The elements contain their links, so adding and removing allocate nothing and cannot fail. An element is made
 * with one {@link Link} for each list that it may be in.
 *
 * <p>Guarded by a lock of its user.
 */
public final class IntrusiveList<T> {
    private @Nullable Link<T> first;
    private @Nullable Link<T> last;
    private int size;

    /** An element's place, in one list at a time. A link that is in no list refers to no other link. */
    public static final class Link<T> {
        public final T it;
        private @Nullable Link<T> before;
        private @Nullable Link<T> after;
        private @Nullable IntrusiveList<T> in;

        public Link(T it) {
            this.it = it;
        }

        /** Removes it from its list; false when it is in none. */
        public boolean leave() {
            return in != null && in.remove(this);
        }

        /** The link that was added next; null for the last one. */
        public @Nullable Link<T> next() {
            return after;
        }
    }

    public @Nullable Link<T> first() {
        return first;
    }

    /** The first element; null without one. */
    public @Nullable T peek() {
        return first == null ? null : first.it;
    }

    public boolean isEmpty() {
        return first == null;
    }

    public int size() {
        return size;
    }

    public boolean has(Link<T> link) {
        return link.in == this;
    }

    /** Removes it from its present list and adds it at the end of this one. */
    public void add(Link<T> link) {
        link.leave();
        link.in = this;
        link.before = last;
        if (last == null) {
            first = link;
        } else {
            last.after = link;
        }
        last = link;
        size++;
    }

    /** Removes the first element; null without one. */
    public @Nullable T poll() {
        T polled = peek();
        if (first != null) {
            first.leave();
        }
        return polled;
    }

    /** Moves all elements of another list to the end of this one. */
    public void addAll(IntrusiveList<T> other) {
        while (other.first != null) {
            add(other.first);
        }
    }

    /** Removes it from this list; false when it was not in it. */
    public boolean remove(Link<T> link) {
        if (link.in != this) {
            return false;
        }
        Link<T> before = link.before;
        Link<T> after = link.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        link.before = null;
        link.after = null;
        link.in = null;
        size--;
        return true;
    }
}
