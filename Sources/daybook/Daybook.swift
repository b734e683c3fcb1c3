// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// The one executable: each subcommand has a file of its own.
@main
struct Daybook: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daybook",
        abstract: "The book of record: an event-sourced, provable incident ledger.",
        discussion: "Exit codes: 0 done or sound, 1 damage, 2 could not run, 3 unproved.",
        version: "0.7.0",
        subcommands: service + audit
    )

    /// What serves a ledger.
    static let service: [any ParsableCommand.Type] = [
        ServeCommand.self, UserCommand.self, TokenCommand.self, DeviceCommand.self,
        EraseCommand.self, HoldCommand.self, ClockCommand.self, DoctorCommand.self,
        BasemapCommand.self,
    ]

    /// What reads a ledger beside whoever serves it.
    static let audit: [any ParsableCommand.Type] = [
        TimelineCommand.self, TrendsCommand.self, VerifyCommand.self, RebuildCommand.self,
        ExportCommand.self, ImportCommand.self, WalkCommand.self, InspectCommand.self,
    ]

    static func main() async {
        Terminal.holdStandardDescriptors()
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let code as ExitCode {
            Foundation.exit(code.rawValue)
        } catch {
            let message = fullMessage(for: error)
            guard exitCode(for: error) != .success else {
                print(message)
                return
            }
            Terminal.note(message)
            Foundation.exit(ExitCode.couldNotRun.rawValue)
        }
    }
}

extension ExitCode {
    /// Something that was looked at is not what it was.
    static let damage = ExitCode(1)
    /// Nothing speaks against it, and nothing proves it.
    static let unproved = ExitCode(3)
    /// Nothing was done; standard error says why.
    static let couldNotRun = ExitCode(2)
}
