// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.load;

/**
 * One file that the load generator asks for, with what the answer must be.
 *
 * @param target the request target, encoded
 * @param checksum CRC-32C of the content
 */
public record Document(String target, long size, long checksum) {}
