// SPDX-License-Identifier: Apache-2.0
public import ArgumentParser
public import Events
import Foundation
import Gateway
import Replay

/// The command `daybook user`.
struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Make, list and change accounts, while no gateway serves the folder.",
        subcommands: [
            Add.self, List.self, Disable.self, Enable.self, ChangeRole.self, ResetPassword.self,
            SignIns.self,
        ]
    )

    /// The command `daybook user add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Make an account; its temporary password is told once."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "The name to sign in with.") var name: String
        @Option(
            help: "What the user may do: \(Role.allCases.map(\.rawValue).joined(separator: ", "))."
        )
        var role: Role
        @Option(help: "What people call the user; sealed in the ledger.") var fullName: String?
        @Option(help: "The organisation. (default: main)") var organisation: String?

        func run() async throws {
            let user = try await ledger.upkeep().addUser(
                name,
                role: role,
                name: fullName,
                organisation: organisation
            )
            if ledger.data.json { return try Terminal.printJSON(user) }
            print("\(user.login.printable) (\(user.role.rawValue), id \(user.id))")
            print(
                "temporary password \(user.temporaryPassword), to be changed at the first sign-in"
            )
        }
    }

    /// The command `daybook user list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the accounts."
        )

        @OptionGroup var ledger: ConsoleOptions

        func run() async throws {
            let users = try await ledger.upkeep().users()
            if ledger.data.json { return try Terminal.printJSON(users) }
            for user in users {
                let state = user.disabled ? "disabled" : user.mustChangePassword ? "temporary" : ""
                print(
                    [user.login, user.role.rawValue, user.id, user.organisation, state].map(
                        \.printable
                    )
                    .joined(separator: "\t")
                )
            }
        }
    }
}

extension Role: ExpressibleByArgument {}
