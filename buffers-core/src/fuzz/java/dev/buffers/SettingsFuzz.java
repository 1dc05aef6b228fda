// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.buffers.support.FuzzedSettings;

/** Jazzer on {@link FuzzedSettings}. */
class SettingsFuzz {

    @FuzzTest
    @DictionaryEntries({
        "buffers.",
        "fuzzed.",
        "policy=",
        "max=",
        "at-limit=",
        "region-size=",
        "max-size=",
        "max-input=",
        "align=",
        "preallocate="
    })
    @DictionaryEntries({"thread-cache=", "zero=", "leaks=", "trim-after=", "free=", "guard=", "jmx="})
    @DictionaryEntries({"heap-view", "unpooled", "wait:", "sample:", "release", "prompt", "PT1H", "500ms", "12.5%"})
    void texts(byte[] input) {
        FuzzedSettings.run(input);
    }
}
