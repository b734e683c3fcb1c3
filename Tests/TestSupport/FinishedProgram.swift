// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// How a program that a test ran has ended, and what it printed.
///
/// It prints into files: a pipe that is read too late would stop it in the middle.
public struct FinishedProgram: Sendable {
    /// Its exit code, or the number of the signal that ended it.
    public let code: Int32
    public let reason: Process.TerminationReason
    public let out: [UInt8]
    public let errors: String

    /// Runs a program to its end; a cancelled task terminates it.
    ///
    /// - Throws: When it cannot be started.
    public init(running path: String, _ arguments: [String]) async throws {
        let started = try Started(path, arguments)
        let process = started.process
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (ended: CheckedContinuation<Void, any Error>) in
                process.terminationHandler = { _ in ended.resume() }
                do { try process.run() } catch { ended.resume(throwing: error) }
            }
        } onCancel: {
            if process.isRunning { process.terminate() }
        }
        try self.init(started)
    }

    /// Runs a program to its end, and blocks the thread until then.
    ///
    /// - Throws: When it cannot be started.
    public init(blockingOn path: String, _ arguments: [String]) throws {
        let started = try Started(path, arguments)
        try started.process.run()
        started.process.waitUntilExit()
        try self.init(started)
    }

    /// How a program ended that the test itself started.
    public init(
        code: Int32,
        reason: Process.TerminationReason,
        out: [UInt8],
        errors: String
    ) {
        self.code = code
        self.reason = reason
        self.out = out
        self.errors = errors
    }

    private init(_ started: Started) throws {
        code = started.process.terminationStatus
        reason = started.process.terminationReason
        out = [UInt8](try Data(contentsOf: started.output))
        errors = String(decoding: try Data(contentsOf: started.errors), as: UTF8.self)
    }

    /// A program and the files that it prints into.
    private struct Started {
        let process = Process()
        let folder: TemporaryFolder
        var output: URL { folder.url.appending(path: "output") }
        var errors: URL { folder.url.appending(path: "errors") }

        init(_ path: String, _ arguments: [String]) throws {
            folder = try TemporaryFolder()
            process.executableURL = URL(filePath: path)
            process.arguments = arguments
            for file in [output, errors] { try Data().write(to: file) }
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: errors)
        }
    }
}
