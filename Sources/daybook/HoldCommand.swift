// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Gateway
import Replay

/// The command `daybook hold`.
struct HoldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Place, list and lift legal holds, while no gateway serves the folder.",
        subcommands: [Place.self, List.self, Lift.self]
    )

    /// The command `daybook hold place`.
    struct Place: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "place",
            abstract: "Keep the data of a person, a session or an incident from being erased."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "person/ID, session/ID or incident/ID.") var scope: String
        @Option(help: "Why.") var reason: String
        @Option(help: "Who ordered it, such as a court and its reference.") var authority: String
        @Option(help: "The organisation that holds. (default: whose it is)")
        var organisation: String?

        func run() async throws {
            print(
                try await ledger.upkeep().placeHold(
                    on: scope,
                    reason: reason,
                    authority: authority,
                    by: organisation
                )
            )
        }
    }

    /// The command `daybook hold list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the holds, also those that were lifted."
        )

        @OptionGroup var ledger: ConsoleOptions

        func run() async throws {
            let holds = try await ledger.upkeep().holds()
            if ledger.data.json { return try Terminal.printJSON(holds) }
            for hold in holds {
                let end = hold.liftedAt.map { "lifted \($0)" } ?? "in force"
                print(
                    "\(hold.id)\t\(hold.organisation)\t\(hold.scope)\t\(end)\t\(hold.authority.printable): \(hold.reason.printable)"
                )
            }
        }
    }

    /// The command `daybook hold lift`.
    struct Lift: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lift",
            abstract: "End a hold for two people, who both sign in for it.",
            discussion: "Asks for the password of each."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "The hold's id.") var hold: String
        @Option(help: "Why.") var reason: String
        @Option(help: "The login of somebody who approves; give two.") var approvedBy: [String]

        func run() async throws {
            let people = try approvedBy.map { login in
                (login: login, password: try Terminal.secret("Password of \(login)"))
            }
            try await ledger.upkeep().liftHold(hold, reason: reason, by: people)
        }
    }
}
