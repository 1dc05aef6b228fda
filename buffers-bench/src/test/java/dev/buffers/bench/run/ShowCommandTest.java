// Copyright 2026 The Buffers authors
// SPDX-License-Identifier: Apache-2.0
package dev.buffers.bench.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The way from Maven's command line to the program. */
class ShowCommandTest {

    @Test
    void mavenPassesEveryOptionToProgram() throws Exception {
        String pom = Files.readString(Path.of("pom.xml"));
        for (OptionSpec option :
                new CommandLine(new ShowCommand()).getCommandSpec().options()) {
            if (!option.usageHelp() && !option.versionHelp()) {
                String property = "show." + option.longestName().substring(2);
                assertTrue(pom.contains("<" + property + "/>"), property);
                assertTrue(pom.contains("<argument>-D" + property + "=${" + property + "}</argument>"), property);
            }
        }
    }
}
