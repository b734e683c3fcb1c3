// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Gateway

/// What every subcommand takes that changes a ledger while no gateway serves it.
struct ConsoleOptions: ParsableArguments {
    @OptionGroup var data: DataOptions

    @Option(
        help:
            "The file with the master key. (default: $DAYBOOK_MASTER_KEY_FILE, or DIR.master-key)",
        completion: .file()
    )
    var masterKey: String?

    /// The ledger that was named.
    func upkeep() throws -> Upkeep {
        Upkeep(folder: try data.folder(), masterKey: masterKeyFile)
    }

    /// The file that was named, or that the environment names.
    var masterKeyFile: URL? {
        let name = masterKey ?? ProcessInfo.processInfo.environment["DAYBOOK_MASTER_KEY_FILE"]
        return name.map { URL(fileURLWithPath: $0) }
    }
}
