// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Events
import Foundation
import Replay

/// The command `daybook import`.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring exported entries into a fresh ledger, with an identical root.",
        discussion: """
            Each entry is checked as it goes; if anything is wrong, nothing is kept. The key that signed them stays where they \
            came from: verify the new ledger --against the checkpoint of the export with --vkey, --without keys --without media --without blobs, and serve it with --new-origin once. That start tells a temporary \
            password for admin, who makes the other accounts anew.
            """
    )

    @OptionGroup var data: DataOptions

    @Argument(help: "A file written by daybook export; - for standard input.")
    var file: String

    func run() throws {
        let bar = ProgressBar()
        let folder = try data.folder()
        let isNew = !FileManager.default.fileExists(atPath: folder.path)
        defer { isNew ? FolderOwner.handOver(new: folder) : FolderOwner.handOver(folder) }
        let restored = try Import.file(file, into: folder) {
            bar.show("import", $0, of: .max)
        }
        bar.clear()
        guard data.json else {
            print("\(restored.size) entries of \(restored.origin.printable)\nroot \(restored.root)")
            Terminal.note(
                "Keys, recordings and accounts stayed where these came from; to check what is here: daybook verify --without keys --without media --without blobs --against FILE.checkpoint --vkey KEY, with the checkpoint beside the export and the key that signed it. To go on with it: daybook serve --new-origin, once, which tells a temporary password for admin."
            )
            return
        }
        try Terminal.printJSON(restored)
    }
}
