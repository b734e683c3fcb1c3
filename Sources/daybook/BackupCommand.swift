// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Gateway

/// The command `daybook backup`.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a ledger, whole and of one moment, while a gateway serves it or not.",
        discussion: """
            Writes PLACE/TIME with everything: entries, keys, accounts, recordings, pictures. Recordings and pictures that the \
            backup before has take no room again. It holds the people's keys: with the master key, which is not in it, whoever \
            has it reads everything. Who is erased later is listed in PLACE, and erased again by daybook restore.
            """
    )

    @OptionGroup var data: DataOptions

    @Option(
        help: ArgumentHelp(
            "The folder of this ledger's backups, on another disk; made where it is missing.",
            valueName: "place"
        ),
        completion: .directory
    )
    var to: String?

    @Option(
        help: ArgumentHelp(
            "Backups that are gone: erasures are told there no more.",
            valueName: "place"
        ),
        completion: .directory
    )
    var forget: String?

    func validate() throws {
        guard (to == nil) != (forget == nil) else {
            throw ValidationError(
                "name the folder of backups with --to, or one that is gone with --forget"
            )
        }
    }

    func run() throws {
        let folder = try data.ledger()
        if let forget {
            try Backup.forget(URL(filePath: forget), of: folder)
            return print(
                "\(forget) is not on the list any more; what still lies there has who was erased"
            )
        }
        let bar = ProgressBar()
        let (place, backup) = try Backup.make(of: folder, in: URL(filePath: to ?? "")) {
            bar.show("backup", UInt64($0), of: UInt64($1))
        }
        bar.clear()
        guard !data.json else { return try Terminal.printJSON(backup) }
        print(
            """
            \(place.path): \(backup.entries) entries, \(backup.files) files of \(backup.bytes >> 20) MiB, \(backup.filesShared) of them shared with the backup before
            root \(backup.root)
            It holds the people's keys: keep it as safe as the ledger, and the master key elsewhere.
            To look at it: daybook verify --data \(place.path)/ledger --master-key FILE
            """
        )
    }
}

/// The command `daybook restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a ledger of a backup, without whoever was erased since.",
        discussion: """
            Whoever the list beside the backup says was erased is erased again before the folder gets its name. The ledger signs \
            with a new key, as behind daybook serve --new-origin: the former one may have signed what is lost. Never serve both.
            """
    )

    @OptionGroup var data: DataOptions
    @Argument(help: "The folder of one backup: PLACE/TIME.", completion: .directory)
    var backup: String

    @Option(
        help:
            "The file with the master key. (default: $DAYBOOK_MASTER_KEY_FILE, or DIR.master-key)",
        completion: .file()
    )
    var masterKey: String?

    @Option(
        help: ArgumentHelp(
            "A list of erasures, where none lies beside the backup, or none; may be given several times.",
            valueName: "file"
        ),
        completion: .file()
    )
    var erasures: [String] = []

    @Flag(help: "Nothing was recorded behind this backup, so that the ledger's key may stay.")
    var sameKey = false

    func run() async throws {
        let folder = try data.folder()
        var restore = Restore(URL(filePath: backup), to: folder)
        let name = masterKey ?? ProcessInfo.processInfo.environment["DAYBOOK_MASTER_KEY_FILE"]
        restore.masterKey = name.map { URL(filePath: $0) }
        restore.keepsKey = sameKey
        if !erasures.isEmpty {
            restore.erasures = erasures.filter { $0 != "none" }.map { URL(filePath: $0) }
        }
        let outcome = try await restore.run()
        print(
            """
            \(folder.path): \(outcome.backup.entries) entries as of \(outcome.backup.madeAt), root \(outcome.backup.root)
            erased since, and erased again: \(outcome.erased)
            """
        )
        guard !sameKey else { return }
        print(
            "It signs with a new key, which daybook.json says; never serve the former ledger again."
        )
    }
}
