// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Events
import Foundation
import Projections

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
        BasemapCommand.self, BackupCommand.self, RestoreCommand.self, VolumeCommand.self,
    ]

    /// What reads a ledger beside whoever serves it.
    static let audit: [any ParsableCommand.Type] = [
        TimelineCommand.self, TrendsCommand.self, VerifyCommand.self, RebuildCommand.self,
        ExportCommand.self, ImportCommand.self, WalkCommand.self, InspectCommand.self,
    ]

    static func main() async {
        Terminal.holdStandardDescriptors()
        SQLiteMemory.countsNothing()
        let command = parsed()
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
            try Terminal.finish()
        } catch let code as ExitCode {
            // What was found stands, also where its words are lost.
            do { try Terminal.finish() } catch { Terminal.note("Error: \(message(for: error))") }
            Foundation.exit(code.rawValue)
        } catch {
            // How the command is spelt is no help to somebody who spelt it well.
            guard !FileFault.isForWantOfRoom(error) else {
                let place = (error as? CocoaError)?.filePath ?? "what was to be written"
                end(error, saying: "Error: no room for \(place): make room, then repeat")
            }
            if let words = LibraryFault.words(for: error) { end(error, saying: "Error: \(words)") }
            let isFault = exitCode(for: error) != .success
            end(error, saying: isFault ? "Error: \(message(for: error))" : fullMessage(for: error))
        }
    }

    /// The command that was asked for; ends the program where there is none.
    private static func parsed() -> any ParsableCommand {
        do {
            try checkName(CommandLine.arguments.dropFirst().first)
            return try parseAsRoot()
        } catch {
            end(error, saying: fullMessage(for: error))
        }
    }

    /// A misspelt command, said before its options are called unknown.
    private static func checkName(_ word: String?) throws {
        let names = (service + audit).compactMap { $0.configuration.commandName } + ["help"]
        guard let word, !word.hasPrefix("-"), !names.contains(word) else { return }
        throw ValidationError(
            "there is no command '\(word)'; there are \(names.joined(separator: ", "))"
        )
    }

    private static func end(_ error: any Error, saying words: String) -> Never {
        guard exitCode(for: error) != .success else {
            print(words)
            Foundation.exit(0)
        }
        Terminal.note(words)
        Foundation.exit(ExitCode.couldNotRun.rawValue)
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
