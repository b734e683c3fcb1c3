// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Events
import Foundation
import Replay

/// The command `daybook timeline`.
struct TimelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Replay an incident: every entry of its subjects, once, in order.",
        discussion: """
            Sealed fields are opened if a master key is given, otherwise shown as sealed. Exit code 1: an entry that cannot be \
            read was left out and is named, or the log ends elsewhere than its own keys ended it.
            """
    )

    @OptionGroup var data: DataOptions
    @OptionGroup var keys: KeyOptions

    @Argument(help: "The id of an incident, session, stream, alert or report.")
    var incident: String

    @Option(help: "Show what was known at a time (RFC 3339) or position.")
    var asOf: String?

    @Option(
        help: ArgumentHelp(
            "Write the picture recorded at a time (RFC 3339), or so many seconds into the first recording, to the file named by -o.",
            valueName: "time"
        )
    )
    var frame: String?

    @Option(name: .shortAndLong, help: "Where the picture goes.", completion: .file())
    var output: String?

    func validate() throws {
        guard (frame == nil) == (output == nil) else {
            throw ValidationError("give --frame TIME and -o FILE together")
        }
    }

    func run() throws {
        let folder = try data.ledger()
        let masterKey = try LedgerKeys.masterKey(keys.masterKey)
        let fault = try LogEnd.fault(of: folder, masterKey: masterKey)
        // Said before anything else: what is looked for may be what is missing.
        if let fault { Terminal.note("timeline of \(folder.path): \(fault); run daybook verify") }
        let timeline = try CaseTimeline.read(
            incident,
            from: folder,
            asOf: asOf,
            keys: LedgerKeys.open(of: folder, masterKeyFile: keys.masterKey),
            fault: fault
        )
        try show(timeline, of: folder)
        if let leftOut = timeline.leftOut {
            Terminal.note(
                "timeline of \(folder.path) \(UnreadableEntries.words(leftOut)); run daybook verify"
            )
        }
        guard timeline.isWhole else { throw ExitCode.damage }
    }

    private func show(_ timeline: CaseTimeline, of folder: URL) throws {
        if let frame, let output {
            let picture = try CaseFrame(at: frame, of: timeline, in: folder)
            try Data(picture.jpeg).write(to: URL(fileURLWithPath: output))
            print(
                "\(output)  \(picture.file.printable) at \(picture.milliseconds) ms, taken \(picture.time)"
            )
            return
        }
        if data.json {
            try Terminal.printJSON(timeline)
        } else {
            print(timeline.text(Terminal.style))
            keys.noteUnused(of: folder)
        }
    }
}
