// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Events
import Foundation
import Replay

/// The command `daybook rebuild`.
struct RebuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Build read models anew from the log, or check that this would change nothing.",
        discussion: """
            Nobody may be serving the ledger, but for --check and --ahead. Exit code 1: --check found a difference.

            --ahead is for a new daybook before it takes over from an old one that still serves: it builds what the new \
            one shows otherwise, in files of its own that the next start takes and brings level. Whoever is erased in \
            between stays in their searched columns until then, so start soon.
            """
    )

    @OptionGroup var data: DataOptions
    @OptionGroup var keys: KeyOptions

    @Argument(help: "The read models, such as operator-desk; all if none is named.")
    var names: [String] = []

    @Flag(help: "Only compare with a rebuild at the same position.")
    var check = false

    @Flag(help: "Build what this version of daybook has no file of yet, beside one that serves.")
    var ahead = false

    func validate() throws {
        guard !(check && ahead) else {
            throw ValidationError("--check and --ahead do different things; give one of them")
        }
    }

    func run() async throws {
        let folder = try data.ledger()
        defer { FolderOwner.handOver(folder) }
        let people = try LedgerKeys.open(of: folder, masterKeyFile: keys.masterKey)
        let bar = ProgressBar()
        let show: @Sendable (VerifyProgress) -> Void = { bar.show($0.stage, $0.done, of: $0.of) }
        guard check else {
            let build = ahead ? RebuildReadModels.ahead : RebuildReadModels.run
            let rebuilt = try await build(names, folder, people, show)
            bar.clear()
            if data.json { return try Terminal.printJSON(rebuilt) }
            for model in rebuilt { print("\(model.name)  \(model.events) events") }
            if rebuilt.isEmpty { print("Nothing to build: this version has all of its files.") }
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
