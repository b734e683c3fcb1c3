// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Gateway

/// The command `daybook doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look for what keeps a gateway from serving a folder well; changes nothing.",
        discussion:
            "Exit code 1: something is wrong. Whether entries are sound, daybook verify says."
    )

    @OptionGroup var ledger: ConsoleOptions

    func run() throws {
        let assets = ProcessInfo.processInfo.environment["DAYBOOK_ASSETS"]
        let doctor = Doctor(
            folder: try ledger.data.folder(),
            masterKey: ledger.masterKeyFile,
            assets: assets.map { URL(filePath: $0) }
        )
        let findings = doctor.findings()
        if ledger.data.json {
            try Terminal.printJSON(findings)
        } else {
            for finding in findings {
                let what = finding.what.padding(toLength: 12, withPad: " ", startingAt: 0)
                print("\(finding.isWell ? "ok  " : "BAD ") \(what) \(finding.detail)")
            }
        }
        if findings.contains(where: { !$0.isWell }) { throw ExitCode.damage }
    }
}
