// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Events
import Foundation
import Replay

/// The command `daybook trends`.
struct TrendsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trends",
        abstract: "Count what happened in each hour, from the log itself.",
        discussion:
            "Exit code 1: an entry that cannot be read was not counted and is named, or the log ends elsewhere than its own keys ended it."
    )

    @OptionGroup var data: DataOptions

    @Argument(
        help: "A metric, or what metrics begin with, such as claim_wait; all if none is named."
    )
    var name: String?

    @Option(help: "The organisation whose numbers are wanted. (default: the whole ledger)")
    var organisation: String?

    @Option(help: "The first hour (RFC 3339).")
    var from: String?

    @Option(help: "The first moment that is not wanted any more (RFC 3339).")
    var until: String?

    @Flag(help: "Print CSV: hour,metric,dimension,value.")
    var csv = false

    func run() async throws {
        let folder = try data.ledger()
        let fault = try LogEnd.fault(of: folder)
        if let fault { Terminal.note("trends of \(folder.path): \(fault); run daybook verify") }
        let bar = ProgressBar()
        let trends = try await Trends(
            of: folder,
            organisation: organisation,
            metric: name,
            from: from,
            until: until
        ) { bar.show($0.stage, $0.done, of: $0.of) }
        bar.clear()
        if data.json {
            try Terminal.printJSON(trends.rows)
        } else if csv {
            print(trends.csv, terminator: "")
        } else {
            print(trends.text(Terminal.style))
        }
        if !trends.leftOut.isEmpty {
            Terminal.note(
                "trends of \(folder.path) \(UnreadableEntries.words(trends.leftOut)); run daybook verify"
            )
        }
        guard trends.leftOut.isEmpty, fault == nil else { throw ExitCode.damage }
    }
}
