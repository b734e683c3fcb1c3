// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Gateway

/// The command `daybook device`.
struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "End registered phones, while no gateway serves the folder.",
        subcommands: [Revoke.self]
    )

    /// The command `daybook device revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "End a phone that was lost; it is refused from the next request on."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "The device's id.") var device: String
        @Option(help: "Why; recorded.") var reason: String

        func run() async throws {
            try await ledger.upkeep().revokeDevice(device, reason: reason)
        }
    }
}
