// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.work;

import java.nio.ByteBuffer;

/** Writes and reads {@link Records}, each element by itself, in one place. */
@SuppressWarnings("ArrayRecordComponent") // never compared
interface RecordCodec {

    /** Writes all; how many bytes that were. */
    int write(Records records);

    /** Reads {@link Records#COUNT} of them; {@link Records#sum} of what it found. */
    long read();

    /** Through a buffer's position. */
    record Relative(ByteBuffer buffer) implements RecordCodec {
        @Override
        public int write(Records records) {
            ByteBuffer out = buffer.rewind();
            for (int i = 0; i < Records.COUNT; i++) {
                byte[] name = records.names[i];
                out.putInt(records.ids[i]);
                out.putLong(records.times[i]);
                out.putShort(records.types[i]);
                out.put((byte) name.length);
                for (byte b : name) {
                    out.put(b);
                }
            }
            return out.position();
        }

        @Override
        public long read() {
            ByteBuffer in = buffer.rewind();
            long sum = 0;
            for (int i = 0; i < Records.COUNT; i++) {
                sum += in.getInt() + in.getLong() + in.getShort();
                int length = in.get();
                sum += length;
                for (int j = 0; j < length; j++) {
                    sum += in.get();
                }
            }
            return sum;
        }
    }

    /** By shifts. */
    record HandPacked(byte[] array) implements RecordCodec {
        @Override
        public int write(Records records) {
            byte[] out = array;
            int at = 0;
            for (int i = 0; i < Records.COUNT; i++) {
                byte[] name = records.names[i];
                Packing.putIntBig(out, at, records.ids[i]);
                Packing.putLongBig(out, at + 4, records.times[i]);
                Packing.putShortBig(out, at + 12, records.types[i]);
                out[at + 14] = (byte) name.length;
                at += 15;
                for (byte b : name) {
                    out[at++] = b;
                }
            }
            return at;
        }

        @Override
        public long read() {
            byte[] in = array;
            int at = 0;
            long sum = 0;
            for (int i = 0; i < Records.COUNT; i++) {
                sum += Packing.getIntBig(in, at) + Packing.getLongBig(in, at + 4) + Packing.getShortBig(in, at + 12);
                int length = in[at + 14];
                sum += length;
                at += 15;
                for (int j = 0; j < length; j++) {
                    sum += in[at++];
                }
            }
            return sum;
        }
    }

    /** Through views of an array. */
    record ArrayViews(byte[] array) implements RecordCodec {
        @Override
        public int write(Records records) {
            byte[] out = array;
            int at = 0;
            for (int i = 0; i < Records.COUNT; i++) {
                byte[] name = records.names[i];
                Packing.ARRAY_INT_BIG.set(out, at, records.ids[i]);
                Packing.ARRAY_LONG_BIG.set(out, at + 4, records.times[i]);
                Packing.ARRAY_SHORT_BIG.set(out, at + 12, records.types[i]);
                out[at + 14] = (byte) name.length;
                at += 15;
                for (byte b : name) {
                    out[at++] = b;
                }
            }
            return at;
        }

        @Override
        public long read() {
            byte[] in = array;
            int at = 0;
            long sum = 0;
            for (int i = 0; i < Records.COUNT; i++) {
                sum += (int) Packing.ARRAY_INT_BIG.get(in, at);
                sum += (long) Packing.ARRAY_LONG_BIG.get(in, at + 4);
                sum += (short) Packing.ARRAY_SHORT_BIG.get(in, at + 12);
                int length = in[at + 14];
                sum += length;
                at += 15;
                for (int j = 0; j < length; j++) {
                    sum += in[at++];
                }
            }
            return sum;
        }
    }

    /** Through views of a buffer. */
    record BufferViews(ByteBuffer buffer) implements RecordCodec {
        @Override
        public int write(Records records) {
            ByteBuffer out = buffer;
            int at = 0;
            for (int i = 0; i < Records.COUNT; i++) {
                byte[] name = records.names[i];
                Packing.BUFFER_INT_BIG.set(out, at, records.ids[i]);
                Packing.BUFFER_LONG_BIG.set(out, at + 4, records.times[i]);
                Packing.BUFFER_SHORT_BIG.set(out, at + 12, records.types[i]);
                out.put(at + 14, (byte) name.length);
                at += 15;
                for (byte b : name) {
                    out.put(at++, b);
                }
            }
            return at;
        }

        @Override
        public long read() {
            ByteBuffer in = buffer;
            int at = 0;
            long sum = 0;
            for (int i = 0; i < Records.COUNT; i++) {
                sum += (int) Packing.BUFFER_INT_BIG.get(in, at);
                sum += (long) Packing.BUFFER_LONG_BIG.get(in, at + 4);
                sum += (short) Packing.BUFFER_SHORT_BIG.get(in, at + 12);
                int length = in.get(at + 14);
                sum += length;
                at += 15;
                for (int j = 0; j < length; j++) {
                    sum += in.get(at++);
                }
            }
            return sum;
        }
    }
}
