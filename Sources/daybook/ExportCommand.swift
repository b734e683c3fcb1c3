// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Replay

/// The command `daybook export`.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the entries as lines, byte for byte.",
        discussion: """
            Beside the file named by -o stands FILE.checkpoint, the newest signed checkpoint, against which daybook verify \
            FILE holds the lines. Exit code 1: the ledger is damaged, ends elsewhere than its own keys ended it, or has not what \
            an earlier FILE has; what could be read lies in FILE.damaged then, and an earlier FILE stays as it is.
            """
    )

    @OptionGroup var data: DataOptions

    @Option(
        name: .shortAndLong,
        help: "The file to write; standard output if none is named.",
        transform: OutputOption.file
    )
    var output: String?

    func run() throws {
        let folder = try data.ledger()
        let bar = ProgressBar()
        let show = { (done: UInt64, total: UInt64) in bar.show("export", done, of: total) }
        let outcome: Export.Outcome
        if let output, output != "-" {
            let file = URL(fileURLWithPath: output)
            outcome = try Export.ledger(at: folder, toFile: file, progress: show)
        } else {
            outcome = try Export.ledger(at: folder, to: .standardOutput, progress: show)
        }
        bar.clear()
        if data.json, output != nil {
            try Terminal.printJSON(ExportAnswer(entries: outcome.count, damage: outcome.damage))
        }
        guard let damage = outcome.damage else { return }
        let place = outcome.file.map { " They lie in \($0.path)." } ?? ""
        Terminal.note(
            "export of \(folder.path), \(outcome.count) entries: \(damage); run daybook verify, then restore what is not sound from a backup.\(place)"
        )
        throw ExitCode.damage
    }
}

private struct ExportAnswer: Encodable {
    let entries: UInt64
    let damage: String?
}
