// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting
import TestSupport
import Testing

/// What a decoder that a stranger's bytes took over can do: a real child tries it.
@Suite(
    .tags(.promise10),
    .timeLimit(.minutes(10)),
    .enabled(if: Sandbox.isAvailable, "this machine has no seccomp filters")
) struct `A decoder that was taken over` {
    private func attempt(
        _ words: String...
    ) async throws -> (reason: Process.TerminationReason, code: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: try Samples.tool())
        process.arguments = ["attempt"] + words
        process.standardInput = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = {
                continuation.resume(returning: ($0.terminationReason, $0.terminationStatus))
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }

    private func object(of attempt: String, in folder: TemporaryFolder) throws -> String {
        switch attempt {
        case "open":
            let file = folder.path + "/keys"
            try Data("a key".utf8).write(to: URL(filePath: file))
            return file
        case "the memory of its parent":
            return "/proc/\(ProcessInfo.processInfo.processIdentifier)/mem"
        case "signal": return "\(ProcessInfo.processInfo.processIdentifier)"
        case "program": return "/bin/true"
        default: return "-"
        }
    }

    @Test(arguments: ["open", "the memory of its parent", "socket", "signal", "program", "code"])
    func `is ended when it tries to`(attempt: String) async throws {
        let folder = try TemporaryFolder()
        let object = try object(of: attempt, in: folder)
        let word = attempt == "the memory of its parent" ? "open" : attempt
        // Without the sandbox each of them succeeds: it is the sandbox that refuses.
        let free = try await self.attempt("free", word, object)
        #expect(free == (.exit, 0))
        let confined = try await self.attempt("confined", word, object)
        #expect(confined == (.uncaughtSignal, SIGSYS))
    }

    @Test func `may go on decoding`() async throws {
        #expect(try await attempt("confined", "nothing", "-") == (.exit, 0))
    }

    @Test(arguments: [InspectionTask.chunk, .still])
    func `was confined before its first byte`(task: InspectionTask) async throws {
        let folder = try TemporaryFolder()
        let writer = try folder.recording(of: TestWebM.likeBrowser(try Samples.short()))
        let inspection = InspectionProcess(
            executable: try Samples.tool(),
            arguments: ["inspect-worker"]
        )
        let outcome =
            switch task {
            case .chunk: await inspection.inspect(LoggedChunk(writer.chunks[0]), of: writer.path)
            case .still:
                await inspection.still(
                    atMilliseconds: 40,
                    in: RecordingIndex(writer.chunks.map(ChunkPlace.init)),
                    of: writer.path
                )
            }
        #expect(outcome.pictures?.jpeg != nil)
        let child = try #require(await inspection.processIdentifier)
        let status = try String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)
        let lines = status.split(separator: "\n")
        #expect(lines.contains("Seccomp:\t2"))
        #expect(lines.contains("NoNewPrivs:\t1"))
    }

    enum InspectionTask { case chunk, still }
}
