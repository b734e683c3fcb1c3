// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Events
import Gateway
import Replay

/// The subcommands of `daybook user` that change an account, each of which is an event.
extension UserCommand {
    /// The command `daybook user disable`.
    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable",
            abstract: "Forbid a user to sign in; every token ends, open sessions become free."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "The user's login.") var name: String
        @Option(help: "Why; recorded.") var reason: String

        func run() async throws {
            try await ledger.upkeep().setDisabled(true, name, reason: reason)
        }
    }

    /// The command `daybook user enable`.
    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable",
            abstract: "Let a user sign in again."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "The user's login.") var name: String
        @Option(help: "Why; recorded.") var reason: String

        func run() async throws {
            try await ledger.upkeep().setDisabled(false, name, reason: reason)
        }
    }

    /// The command `daybook user role`.
    struct ChangeRole: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "role",
            abstract: "Change what a user may do, and sign the user out."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "The user's login.") var name: String
        @Argument(
            help: "What the user may do: \(Role.allCases.map(\.rawValue).joined(separator: ", "))."
        )
        var role: Role
        @Option(help: "Why; recorded.") var reason: String

        func run() async throws {
            try await ledger.upkeep().setRole(role, of: name, reason: reason)
        }
    }

    /// The command `daybook user reset-password`.
    struct ResetPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset-password",
            abstract: "Set a temporary password, told once, and sign the user out."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "The user's login.") var name: String

        func run() async throws {
            let password = try await ledger.upkeep().resetPassword(of: name)
            if ledger.data.json {
                return try Terminal.printJSON(["temporaryPassword": password])
            }
            print("temporary password \(password), to be changed at the next sign-in")
        }
    }

    /// The command `daybook user sign-ins`.
    struct SignIns: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-ins",
            abstract: "List when a user signed in and out, newest first."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "The user's login.") var name: String

        func run() async throws {
            let signIns = try await ledger.upkeep().signIns(of: name, limit: 200)
            if ledger.data.json { return try Terminal.printJSON(signIns) }
            for signIn in signIns {
                print(
                    [signIn.at, signIn.what, signIn.how, signIn.address ?? ""]
                        .map(\.printable).joined(separator: "\t")
                )
            }
        }
    }
}
