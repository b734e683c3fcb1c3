// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Gateway

/// The command `daybook clock`.
struct ClockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Confirm a clock that the ledger does not follow.",
        subcommands: [Confirm.self]
    )

    /// The command `daybook clock confirm`.
    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Say that this machine's clock is right, while no gateway serves the folder.",
            discussion: """
                A clock that is more than an hour ahead of what can be explained is not followed. While a gateway \
                serves the folder, an admin confirms it by POST /v1/clock/confirm.
                """
        )

        @OptionGroup var ledger: ConsoleOptions
        @Flag(help: "Do not ask whether it is meant.") var yes = false

        func run() async throws {
            let upkeep = try ledger.upkeep()
            if !yes {
                let standing = upkeep.clockStanding().map { "\($0)" } ?? "nothing is known yet"
                print("This machine says that it is \(Date.now.ISO8601Format()); \(standing).")
                print("Is that the right time? Type yes: ", terminator: "")
                fflush(nil)
                guard readLine() == "yes" else { throw ValidationError("not confirmed") }
            }
            try await upkeep.confirmClock()
            print("confirmed; the wall clock is followed")
        }
    }
}
