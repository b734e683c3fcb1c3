// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Gateway

/// The command `daybook erase`.
struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Forget a person for good, while no gateway serves the folder.",
        discussion: """
            Destroys the person's key and recordings; every proof still holds. Nothing brings them back. \
            A legal hold or an open session blocks it. Whoever stands behind an account is erased by two others, \
            who both sign in for it, and the account ends with that.
            """
    )

    @OptionGroup var ledger: ConsoleOptions
    @Argument(help: "The person's id.") var person: String
    @Option(help: "Why; recorded.") var reason: String
    @Option(help: "The login of somebody who agrees; for a person behind an account give two.")
    var approvedBy: [String] = []
    @Flag(help: "Do not ask whether it is meant.") var yes = false

    func run() async throws {
        if !yes {
            print(
                "Erase person \(person)? Nothing brings the data back. Type the id again: ",
                terminator: ""
            )
            fflush(nil)
            guard readLine() == person else { throw ValidationError("not erased: the ids differ") }
        }
        let people = try approvedBy.map { login in
            (login: login, password: try Terminal.secret("Password of \(login)"))
        }
        let deleted = try await ledger.upkeep().erase(person, reason: reason, by: people)
        print("erased person \(person); recordings deleted: \(deleted)")
    }
}
