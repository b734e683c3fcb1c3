// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Gateway
import Replay

/// The command `daybook doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for what keeps a gateway from serving a folder well; changes nothing.",
        discussion:
            "Exit codes: 0 it serves, warnings or not; 1 something fails; 2 could not look. Whether entries are sound, daybook verify says."
    )

    @OptionGroup var ledger: ConsoleOptions

    @Option(
        help: "The settings of the gateway, as serve takes them.",
        completion: .file()
    )
    var config: String?

    func run() throws {
        let findings = try findings()
        if ledger.data.json {
            try Terminal.printJSON(findings)
        } else {
            for finding in findings {
                let what = finding.what.padding(toLength: 12, withPad: " ", startingAt: 0)
                let level = finding.level.rawValue.padding(toLength: 4, withPad: " ", startingAt: 0)
                print("\(level) \(what) \(finding.detail.printable)")
            }
        }
        if findings.contains(where: { !$0.isWell }) { throw ExitCode.damage }
    }

    /// With settings that a start refuses nothing else can be looked at.
    private func findings() throws -> [Doctor.Finding] {
        let serve = try ServeCommand.parse(["--data", try ledger.data.folder().path])
        var configuration: GatewayConfiguration
        do {
            configuration = try serve.configuration(try Settings(file: config))
        } catch {
            return [Doctor.refused(error)]
        }
        if let file = ledger.masterKeyFile { configuration.masterKey = .file(file) }
        return Doctor(configuration).findings()
    }
}
