// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Events
import Foundation
import Replay

/// The command `daybook verify`.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Prove that nothing was changed, removed, reordered or added.",
        discussion: """
            Needs no server and no keys, and changes nothing. Exit code 0: sound, all of it or as far as looked at, which is \
            then said; 1: damage was found; 2: could not run; 3: unproved, no signature that was checked covers any entry.
            """
    )

    @OptionGroup var data: DataOptions
    @OptionGroup var keys: KeyOptions

    @Argument(help: "A ledger's folder, or a file written by daybook export.")
    var file: String?

    @Option(
        help: ArgumentHelp(
            "A checkpoint that was kept elsewhere; may be given several times.",
            valueName: "checkpoint"
        ),
        completion: .file()
    )
    var against: [String] = []

    @Option(
        help:
            "The ledger's public key, if the one in its folder is not to be believed; once for each, where it was given a new one."
    )
    var vkey: [String] = []

    @Flag(help: "Decode every frame of video, too.")
    var decode = false

    @Flag(help: "Only the log and its checkpoints: no payloads, index, read models, media.")
    var quick = false

    @Option(
        help: ArgumentHelp(
            "Do not miss what is not here: media, blobs, keys, accounts, read or index; may be given several times.",
            valueName: "part"
        ),
        transform: Self.part
    )
    var without: [VerifyOptions.Part] = []

    @Flag(help: "Hold the rules of the domain against the whole log, too.")
    var story = false

    @Option(
        help: ArgumentHelp(
            "Keep the newest proved checkpoint outside the folder. What the file holds already is held against the ledger as by --against, and replaced only if that is sound.",
            valueName: "file"
        ),
        completion: .file(),
        transform: OutputOption.file
    )
    var saveCheckpoint: String?

    func run() async throws {
        let target = try file.map { URL(fileURLWithPath: $0) } ?? data.folder()
        CrashSignals.endInWords(reading: target)
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder)
        guard exists else {
            throw CannotVerify(
                "verify \(target.path) was not possible: there is nothing of that name; name the ledger's folder with --data"
            )
        }
        var options = VerifyOptions()
        options.against = try (against + [kept()].compactMap { $0 }).map(URL.init(fileURLWithPath:))
        options.vkeys = vkey
        options.decodesVideo = decode
        options.isQuick = quick
        options.without = Set(without)
        options.checksStory = story
        options.masterKey = isFolder.boolValue ? try LedgerKeys.masterKey(keys.masterKey) : nil
        let bar = ProgressBar()
        let show: @Sendable (VerifyProgress) -> Void = { bar.show($0.stage, $0.done, of: $0.of) }
        let report =
            isFolder.boolValue
            ? try await Verify.ledger(at: target, options: options, progress: show)
            : try await Verify.exportedFile(at: target, options: options, progress: show)
        bar.clear()
        if data.json {
            try Terminal.printJSON(VerifyAnswer(report))
        } else {
            print(report.text(Terminal.style))
            if isFolder.boolValue { keys.noteUnused(of: target) }
        }
        try save(report)
        switch report.verdict {
        case .sound, .soundAsFarAsLookedAt: break
        case .unproved: throw ExitCode.unproved
        case .damage: throw ExitCode.damage
        }
    }

    @Sendable private static func part(_ name: String) throws -> VerifyOptions.Part {
        guard let part = VerifyOptions.Part(rawValue: name) else {
            let names = VerifyOptions.Part.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--without takes one of \(names)")
        }
        return part
    }

    /// The file of `--save-checkpoint`, if it is there: nothing is written over what the ledger does not agree with.
    private func kept() throws -> String? {
        guard let saveCheckpoint, FileManager.default.fileExists(atPath: saveCheckpoint) else {
            return nil
        }
        do {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: saveCheckpoint))
            _ = try Checkpoint(text: SignedNote(String(decoding: bytes, as: UTF8.self)).text)
            return saveCheckpoint
        } catch {
            throw CannotVerify(
                "verify --save-checkpoint was not possible: \(saveCheckpoint) holds no checkpoint (\(error)); name another file"
            )
        }
    }

    private func save(_ report: VerifyReport) throws {
        guard let saveCheckpoint else { return }
        guard report.verdict.isSound else {
            Terminal.note("\(saveCheckpoint) was left as it is: what was verified is not sound")
            return
        }
        guard let checkpoint = report.checkpoint else {
            Terminal.note("\(saveCheckpoint) was not written: no checkpoint is proved")
            return
        }
        try Data(checkpoint.utf8).write(to: URL(fileURLWithPath: saveCheckpoint), options: .atomic)
        Terminal.note(
            "\(saveCheckpoint) holds the checkpoint over \(report.provedSize ?? 0) entries; keep it where nobody who can write the ledger can, with the key \(report.key?.vkey ?? "")"
        )
    }
}

/// The report with its verdict spelt out.
private struct VerifyAnswer: Encodable {
    let verdict: VerifyReport.Verdict
    let report: VerifyReport

    init(_ report: VerifyReport) {
        verdict = report.verdict
        self.report = report
    }
}
