// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Replay

/// `daybook walk`: what `verify` and `export` start to read a ledger's files in a process of their own.
struct WalkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "walk",
        abstract: "Read a ledger's files for verify and export.",
        shouldDisplay: false
    )

    @Argument var part: String
    @Option var data: String
    @Option var from: UInt64 = 0

    func run() throws {
        guard let part = Walker.Part(rawValue: part) else {
            throw ValidationError("there is no part \(part) to walk over; name log or index")
        }
        Walker.walk(part, of: URL(fileURLWithPath: data), from: from, to: STDOUT_FILENO)
    }
}
