// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Replay

/// The command `daybook export`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the entries as lines, byte for byte.",
        discussion: "Exit code 1: the ledger is damaged; the lines written before that are whole."
    )

    @OptionGroup var data: DataOptions

    @Option(name: .shortAndLong, help: "The file to write; standard output if none is named.")
    var output: String?

    func run() throws {
        let folder = try data.folder()
        let bar = ProgressBar()
        let outcome = try Export.ledger(at: folder, to: try destination()) { done, total in
            bar.show("export", done, of: total)
        }
        bar.clear()
        if data.json, output != nil {
            try Terminal.printJSON(ExportAnswer(entries: outcome.count, damage: outcome.damage))
        }
        guard let damage = outcome.damage else { return }
        Terminal.note(
            "export of \(folder.path) ended after \(outcome.count) entries: \(damage); run daybook verify, then restore the rest from a backup"
        )
        throw ExitCode.damage
    }

    private func destination() throws -> FileHandle {
        guard let output, output != "-" else { return .standardOutput }
        guard FileManager.default.createFile(atPath: output, contents: nil),
            let handle = FileHandle(forWritingAtPath: output)
        else {
            throw ValidationError("export to \(output) was not possible: it cannot be written")
        }
        return handle
    }
}

private struct ExportAnswer: Encodable {
    let entries: UInt64
    let damage: String?
}
