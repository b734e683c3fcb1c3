// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Replay

/// The command `daybook verify`.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Prove that nothing was changed, removed, reordered or added.",
        discussion: """
            Needs no server and no keys, and writes nothing. Exit code 0: sound; 1: damage was found; \
            2: could not run.
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

    @Option(help: "The ledger's public key, if the one in its folder is not to be believed.")
    var vkey: String?

    @Flag(help: "Decode every frame of video, too.")
    var decode = false

    @Flag(help: "Only the log and its checkpoints: no payloads, index, read models, media.")
    var quick = false

    func run() async throws {
        let target = try file.map { URL(fileURLWithPath: $0) } ?? data.folder()
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: target.path, isDirectory: &isFolder)
        guard exists else {
            throw CannotVerify(
                "verify \(target.path) was not possible: there is nothing of that name; name the ledger's folder with --data"
            )
        }
        var options = VerifyOptions()
        options.against = against.map { URL(fileURLWithPath: $0) }
        options.vkey = vkey
        options.decodesVideo = decode
        options.isQuick = quick
        options.keys =
            isFolder.boolValue
            ? try LedgerKeys.open(of: target, masterKeyFile: keys.masterKey) : nil
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
        }
        if report.verdict == .damage { throw ExitCode.damage }
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
