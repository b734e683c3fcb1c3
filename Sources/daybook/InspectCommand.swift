// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Replay

/// `daybook inspect-worker`: decodes video and photos for `serve` and `verify`, in a process that may die of it.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect-worker",
        abstract: "Decode video and photos for serve and verify.",
        shouldDisplay: false
    )

    func run() throws {
        throw ExitCode(InspectionWork.run())
    }
}
