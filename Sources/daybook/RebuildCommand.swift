// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Replay

/// `daybook rebuild`
struct RebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Build read models anew from the log, or check that this would change nothing.",
        discussion:
            "Nobody may be serving the ledger, but for --check. Exit code 1: --check found a difference."
    )

    @OptionGroup var data: DataOptions
    @OptionGroup var keys: KeyOptions

    @Argument(help: "The read models, such as operator-desk; all if none is named.")
    var names: [String] = []

    @Flag(help: "Only compare with a rebuild at the same position.")
    var check = false

    func run() async throws {
        let folder = try data.folder()
        let people = try LedgerKeys.open(of: folder, masterKeyFile: keys.masterKey)
        let bar = ProgressBar()
        let show: @Sendable (VerifyProgress) -> Void = { bar.show($0.stage, $0.done, of: $0.of) }
        guard check else {
            let rebuilt = try await RebuildReadModels.run(
                names,
                at: folder,
                keys: people,
                progress: show
            )
            bar.clear()
            if data.json { return try Terminal.printJSON(rebuilt) }
            for model in rebuilt { print("\(model.name)  \(model.events) events") }
            return
        }
        let report = try await RebuildReadModels.check(
            names,
            at: folder,
            keys: people,
            progress: show
        )
        bar.clear()
        if data.json { try Terminal.printJSON(report) } else { print(report.text(Terminal.style)) }
        if report.verdict == .damage { throw ExitCode.damage }
    }
}
