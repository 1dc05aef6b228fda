// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SettingTest {

    @Test
    void settingShowsItsOrigin() {
        Setting<Long> found =
                Setting.read(SettingKey.MAX_SIZE, "buffers.web.max-size", " 64k ", "-Dbuffers.web.max-size");
        assertEquals(64 << 10, found.value());
        assertFalse(found.isDefault());
        assertEquals("max-size=64k (-Dbuffers.web.max-size)", found.toString());
        assertEquals(
                "max-size=64k (builder)",
                Setting.ofBuilder(SettingKey.MAX_SIZE, "65536").toString());
        assertTrue(Setting.ofDefault(SettingKey.MAX_SIZE).isDefault());
    }

    @Test
    void adjustedSettingShowsReasonAndKeepsItsOrigin() {
        Setting<Long> lowered = Setting.ofDefault(SettingKey.MAX_SIZE).adjusted(4096L, "lowered to region-size");
        assertTrue(lowered.isDefault());
        assertEquals("max-size=4k (default, lowered to region-size)", lowered.toString());
    }

    @Test
    void refusalNamesRefusedAndAcceptedValues() {
        IllegalArgumentException unread = assertThrows(
                IllegalArgumentException.class,
                () -> Setting.read(SettingKey.MAX_SIZE, "buffers.web.max-size", "1", "-Dbuffers.web.max-size"));
        assertEquals(
                "bad value: buffers.web.max-size=1 (from -Dbuffers.web.max-size) is too small; accepted: "
                        + SettingKey.MAX_SIZE.accepted(),
                unread.getMessage());
        assertTrue(unread.getCause() instanceof IllegalArgumentException);
        assertEquals(
                "bad value: buffers.max-size=64k (from builder) is more than that; accepted: at most that",
                Setting.ofBuilder(SettingKey.MAX_SIZE, "65536")
                        .refused("is more than that", "at most that")
                        .getMessage());
    }
}
