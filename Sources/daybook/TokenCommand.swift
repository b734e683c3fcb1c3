// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Events
import Foundation
import Gateway

/// The command `daybook token`.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Issue, list and revoke a user's tokens, while no gateway serves the folder.",
        subcommands: [Add.self, List.self, Revoke.self]
    )

    /// The command `daybook token add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Issue a token for a program; it is told once.",
            discussion: "Asks for the user's password, unless the user has the role service."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "The user's login.") var user: String
        @Option(
            help: "How many days it lasts, at most 90. (default: half a day)",
            transform: NumberOption.reading("--days", in: 1...90)
        )
        var days: Int?

        func run() async throws {
            let upkeep = try ledger.upkeep()
            let known = try await upkeep.users().first {
                $0.login.lowercased() == user.lowercased()
            }
            let isService = known?.role == .service
            let password = try isService ? nil : Terminal.secret("Password of \(user)")
            let token = try await upkeep.addToken(
                of: user,
                password: password,
                life: days.map { .seconds($0 * 86_400) }
            )
            if ledger.data.json { return try Terminal.printJSON(token) }
            print(token.token)
            Terminal.note("id \(token.id), until \(token.expires.ISO8601Format())")
        }
    }

    /// The command `daybook token list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List a user's tokens, newest first."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "The user's login.") var user: String

        func run() async throws {
            let tokens = try await ledger.upkeep().tokens(of: user)
            if ledger.data.json { return try Terminal.printJSON(tokens) }
            for token in tokens {
                let state =
                    token.revoked == nil ? "until \(token.expires.ISO8601Format())" : "revoked"
                print("\(token.id)\t\(state)\tlast used \(token.lastUsed.ISO8601Format())")
            }
        }
    }

    /// The command `daybook token revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "End a token; it is refused from the next request on."
        )

        @OptionGroup var ledger: ConsoleOptions
        @Argument(help: "The user's login.") var user: String
        @Argument(help: "The token's id.") var token: String

        func run() async throws {
            try await ledger.upkeep().revokeToken(token, of: user)
        }
    }
}
