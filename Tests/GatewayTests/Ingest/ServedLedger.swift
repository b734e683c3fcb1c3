// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// `daybook serve` over a ledger's folder, in a process of its own.
final class ServedLedger: Sendable {
    let port: Int
    let processIdentifier: Int32
    private let process: Mutex<Process>
    private let ended: AsyncStream<Void>

    /// Starts the program that was built beside the tests; returns once it takes requests.
    init(_ folder: URL) async throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: own).deletingLastPathComponent().appending(path: "daybook")
        let process = Process()
        process.executableURL = program
        process.arguments = ["serve", "--data", folder.path, "--listen", "127.0.0.1:0"]
        let output = Pipe()
        process.standardOutput = output
        let (texts, text) = AsyncStream.makeStream(of: String.self)
        output.fileHandleForReading.readabilityHandler = { handle in
            let bytes = handle.availableData
            guard !bytes.isEmpty else { return text.finish() }
            text.yield(String(decoding: bytes, as: UTF8.self))
        }
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        self.ended = ended
        try process.run()
        processIdentifier = process.processIdentifier
        var printed = ""
        var found: Int?
        for await piece in texts {
            printed += piece
            let port = printed.firstMatch(of: /daybook serves http:\/\/127\.0\.0\.1:(\d+)\n/)
            found = port.flatMap { Int($0.1) }
            if found != nil { break }
        }
        output.fileHandleForReading.readabilityHandler = nil
        self.process = Mutex(process)
        guard let found else {
            throw ProgramFailed(program: program.path, status: 0, output: printed)
        }
        port = found
    }

    /// Asks the program to end, and waits until it has.
    func stop() async {
        process.withLock { $0.terminate() }
        await waitForEnd()
    }

    /// Returns once the program has ended, however it did.
    func waitForEnd() async {
        for await _ in ended {}
    }
}
