// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// What every subcommand that reads a ledger takes.
struct DataOptions: ParsableArguments {
    @Option(help: "The ledger's folder. (default: $DAYBOOK_DATA)", completion: .directory)
    var data: String?

    @Flag(help: "Print JSON instead of text for people.")
    var json = false

    /// The folder that was named, or that the environment names.
    func folder() throws -> URL {
        guard let path = data ?? ProcessInfo.processInfo.environment["DAYBOOK_DATA"] else {
            throw ValidationError(
                "no ledger is named; give its folder with --data, or in the environment as DAYBOOK_DATA"
            )
        }
        return URL(fileURLWithPath: path, isDirectory: true)
    }
}
