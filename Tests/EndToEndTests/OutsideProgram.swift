// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A program under Tests/Tools that looks at the real `daybook` from outside.
struct OutsideProgram {
    /// What it ends with where this machine cannot show what it looks for.
    private static let skipped: Int32 = 77

    let name: String

    /// Runs the program in a folder of its own.
    ///
    /// Records an issue with what it printed unless it ended well.
    func holds(_ arguments: String...) async throws {
        let folder = try TemporaryFolder()
        let outcome = try await run(arguments, in: folder.url)
        if outcome.code == Self.skipped {
            print("\(name): \(outcome.text)")
        } else {
            #expect(outcome.code == 0, "\(name) ended with \(outcome.code):\n\(outcome.text)")
        }
    }

    /// An executable that the package builds beside its tests.
    static func product(_ name: String) throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: own).deletingLastPathComponent().appending(path: name).path
    }

    private func run(
        _ arguments: [String],
        in folder: URL
    ) async throws -> (code: Int32, text: String) {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Tools/\(name).py")
        // A file, since a pipe that nobody reads would stop the program.
        let printed = folder.appending(path: "printed")
        try Data().write(to: printed)
        let output = try FileHandle(forWritingTo: printed)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["python3", script.path, "--daybook", try Self.product("daybook")]
            + ["--folder", folder.appending(path: "work").path] + arguments
        // Times are told and not held: other tests run beside.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["DAYBOOK_MACHINE_IS_SHARED": "1"]) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let code = try await ended(process)
        try output.close()
        return (code, try String(contentsOf: printed, encoding: .utf8))
    }

    /// Waits for a program; one that outlives the test's time limit is ended, with what it started.
    private func ended(_ process: Process) async throws -> Int32 {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = {
                    continuation.resume(returning: $0.terminationStatus)
                }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
        } onCancel: {
            process.terminate()
        }
    }
}
