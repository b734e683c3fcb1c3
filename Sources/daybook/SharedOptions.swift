// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Gateway

/// What every subcommand that reads a ledger takes.
struct DataOptions: ParsableArguments {
    @Option(help: "The ledger's folder. (default: $DAYBOOK_DATA)", completion: .directory)
    var data: String?

    @Flag(help: "Print JSON instead of text for people.")
    var json = false

    /// The folder that was named, or that the environment names; a crash names it from here on.
    func folder() throws -> URL {
        guard let path = data ?? ProcessInfo.processInfo.environment["DAYBOOK_DATA"] else {
            throw ValidationError(
                "no ledger is named; give its folder with --data, or in the environment as DAYBOOK_DATA"
            )
        }
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        CrashSignals.endInWords(reading: folder)
        return folder
    }

    /// The folder that was named, which holds a log to read.
    func ledger() throws -> URL {
        let folder = try folder()
        let log = folder.appending(path: "log/data.mdb").path
        guard FileManager.default.fileExists(atPath: log) else {
            throw NoLedger(folder: folder)
        }
        return folder
    }
}

/// A folder that holds no ledger was named.
private struct NoLedger: Error, CustomStringConvertible {
    let folder: URL

    var description: String { "there is no ledger in \(folder.path); check --data" }
}

/// How the keys of people are found; without them sealed fields stay sealed.
struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "File with the master key, which opens sealed fields with DIR/keys. (default: $DAYBOOK_MASTER_KEY_FILE, or the key itself in $DAYBOOK_MASTER_KEY)",
            valueName: "file"
        ),
        completion: .file()
    )
    var masterKey: String?

    /// Says that a key lies beside the folder, for whoever asked for none: what is sealed is opened for nobody who did not ask.
    func noteUnused(of folder: URL) {
        let environment = ProcessInfo.processInfo.environment
        let isGiven =
            masterKey != nil || environment["DAYBOOK_MASTER_KEY_FILE"] != nil
            || environment["DAYBOOK_MASTER_KEY"] != nil
        let file = folder.standardizedFileURL.path + ".master-key"
        guard !isGiven, FileManager.default.fileExists(atPath: file) else { return }
        Terminal.note("sealed fields stayed sealed; to open them: --master-key \(file)")
    }
}

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
