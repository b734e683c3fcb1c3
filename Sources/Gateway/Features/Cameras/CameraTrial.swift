// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Media
import NIOCore
import Synchronization
import Threads

/// Reads a camera for a moment, whoever records it meanwhile, to see what it gives.
actor CameraTrial {
    private let program: CameraProgram
    private let thread: DedicatedThread

    /// How long it may take until a picture is there.
    private static let patience = Duration.seconds(15)

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(program: CameraProgram, thread: DedicatedThread) {
        (self.program, self.thread) = (program, thread)
    }

    /// A picture of the camera's first second.
    ///
    /// - Parameters:
    ///   - order: The camera.
    ///   - still: Decodes a recording's first picture.
    /// - Returns: A JPEG.
    /// - Throws: 503 with the cause where the camera gives none.
    func picture(
        of order: CameraProgram.Order,
        still: @Sendable (RecordingIndex, String) async throws -> InspectionOutcome
    ) async throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "daybook-camera-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "trial.webm").path
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw RecordingError.storage("opening", path: path, code: EIO)
        }
        let writer = try RecordingWriter.open(path, seal: .random(), start: .now).writer
        _ = try writer.begin(part: 1, placement: .live(atMilliseconds: 0))
        let fault = try await fill(writer, order)
        _ = try writer.end(part: 1)
        guard !writer.chunks.isEmpty else { throw Self.silent(fault) }
        let outcome = try await still(RecordingIndex(writer.chunks.map(ChunkPlace.init)), path)
        guard let jpeg = outcome.pictures?.jpeg else { throw Self.silent((.type, "no picture")) }
        return jpeg
    }

    private typealias Told = (cause: CameraStandingChanged.Cause, text: String)

    /// - Returns: Why nothing came, where nothing did.
    private func fill(_ writer: RecordingWriter, _ order: CameraProgram.Order) async throws -> Told
    {
        let (pieces, piece) = AsyncStream.makeStream(of: [UInt8].self)
        let told = Mutex<Told>((.silent, "no picture came in time"))
        let program = program
        // Cancelled below, as soon as a second is there.
        let run = Task {
            defer { piece.finish() }
            try await program.run(order) {
                piece.yield(Array($0.readableBytesView))
            } status: {
                if case .fault(let cause, let text) = $0 { told.withLock { $0 = (cause, text) } }
            }
        }
        let end = Task {
            try await Task.sleep(for: Self.patience)
            run.cancel()
        }
        defer {
            end.cancel()
            run.cancel()
        }
        var offset: UInt64 = 0
        for await bytes in pieces where writer.chunks.isEmpty {
            _ = try writer.accept(bytes, part: 1, offset: offset)
            offset += UInt64(bytes.count)
            if writer.timelineEnd ?? 0 > 200 { break }
        }
        run.cancel()
        do { try await run.value } catch let fault as CameraProgram.StartFault { throw fault } catch
        {
            // What it told says why.
        }
        return told.withLock(\.self)
    }

    private static func silent(_ told: Told) -> Problem {
        Problem(
            ProblemType("camera-silent", .serviceUnavailable, "Camera silent"),
            detail: "the camera gives no picture: \(told.text)",
            facts: ["cause": .string(told.cause.rawValue)]
        )
    }
}
