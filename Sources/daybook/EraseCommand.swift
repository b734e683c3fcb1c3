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
            A legal hold or an open session blocks it.
            """
    )

    @OptionGroup var ledger: ConsoleOptions
    @Argument(help: "The person's id.") var person: String
    @Option(help: "Why; recorded.") var reason: String
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
        let deleted = try await ledger.upkeep().erase(person, reason: reason)
        print("erased person \(person); recordings deleted: \(deleted)")
    }
}
