// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Threads

/// Looks at the chunks of one stream in a child process, off the path of acknowledgements.
///
/// ```swift
/// let inspection = InspectionProcess(executable: CommandLine.arguments[0], arguments: ["inspect-worker"])
/// let outcome = await inspection.inspect(LoggedChunk(chunk), of: path)   // then log stream.chunks_inspected
/// ```
///
/// Give it every chunk in the order of the recording; the decoder keeps its state from one to the next. A child
/// that crashes, or takes too long, marks the chunk and is replaced; decoding goes on at the part's next key frame.
/// Nothing is thrown. It has a thread of its own for what blocks, starts the child at the first request, and ends
/// it when released.
public actor InspectionProcess {
    private let executable: String
    private let arguments: [String]
    private let milliseconds: Int
    private let thread = DedicatedThread(name: "inspection")
    private let waiting = Mutex(0)
    private var child: ChildProcess?
    /// For each part that the child has a decoder for, in the order of their start: how far it has decoded.
    private var decoders: [(part: UInt32, through: UInt64)] = []

    /// Prepares inspections.
    ///
    /// - Parameters:
    ///   - executable: The path of a program that calls ``InspectionWorker/run()``.
    ///   - arguments: What tells it to.
    ///   - milliseconds: How long one chunk may take.
    public init(
        executable: String,
        arguments: [String],
        milliseconds: Int = MediaLimits.inspectionMillisecondsMax
    ) {
        self.executable = executable
        self.arguments = arguments
        self.milliseconds = milliseconds
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    /// The child's process id; `nil` while there is none.
    public var processIdentifier: Int32? { child?.identifier }

    /// Looks at a chunk of a recording, if its bytes are those that the ledger knows.
    ///
    /// - Parameters:
    ///   - chunk: Its place in the file, and its digest.
    ///   - path: The file.
    /// - Returns: What its frames look like, or why that is not known.
    public nonisolated func inspect(
        _ chunk: LoggedChunk,
        of path: String
    ) async -> InspectionOutcome {
        await whenNotOverloaded { await self.read(chunk, of: path) } ?? .notDecoded(.overloaded)
    }

    /// Looks at the bytes of one cluster of a recording.
    public nonisolated func inspect(cluster: [UInt8]) async -> InspectionOutcome {
        await whenNotOverloaded { await self.look(at: cluster) } ?? .notDecoded(.overloaded)
    }

    /// Decodes the picture shown at a time.
    ///
    /// - Parameters:
    ///   - milliseconds: A time on the recording's timeline.
    ///   - index: Where the recording's chunks lie.
    ///   - path: The recording, growing or complete.
    /// - Returns: The picture as a JPEG in ``ChunkPictures/jpeg``, in full size.
    public nonisolated func still(
        atMilliseconds milliseconds: Int64,
        in index: RecordingIndex,
        of path: String
    ) async -> InspectionOutcome {
        await whenNotOverloaded {
            await self.decodeStill(atMilliseconds: milliseconds, in: index, of: path)
        } ?? .notDecoded(.overloaded)
    }

    /// Does what is asked for, unless too much waits; `nil` then.
    nonisolated func whenNotOverloaded<Answer: Sendable>(_ work: () async -> Answer) async
        -> Answer?
    {
        let isFree = waiting.withLock { count in
            guard count < MediaLimits.inspectionQueueMax else { return false }
            count += 1
            return true
        }
        guard isFree else { return nil }
        defer { waiting.withLock { $0 -= 1 } }
        return await work()
    }

    private func read(_ chunk: LoggedChunk, of path: String) -> InspectionOutcome {
        do {
            let file = try ArchiveFile(path, .read)
            let place = chunk.place
            let cluster = try file.read(at: place.offset, count: place.length)
            guard SHA256Hex.text(cluster) == chunk.sha256 else { return .notDecoded(.notAsLogged) }
            return look(at: cluster)
        } catch .truncated {
            return .notDecoded(.notAsLogged)
        } catch {
            return .notDecoded(.unavailable(error.description))
        }
    }

    private func decodeStill(
        atMilliseconds: Int64,
        in index: RecordingIndex,
        of path: String
    ) -> InspectionOutcome {
        do {
            let still = try Still(
                atMilliseconds: atMilliseconds,
                showing: index.chunksToShow(atMilliseconds: atMilliseconds),
                of: path
            )
            let request = InspectionRequest(
                task: .still,
                codec: still.codec,
                part: 0,
                wantsFreshDecoder: true,
                frames: still.frames
            )
            return ask(request)
        } catch {
            return .notDecoded(.unavailable("\(error)"))
        }
    }
}

extension InspectionProcess {
    private func look(at cluster: [UInt8]) -> InspectionOutcome {
        guard let record = Cluster.record(cluster), let frames = Cluster.frames(cluster) else {
            return .notDecoded(.noCluster)
        }
        let part = record.part
        let continues =
            child != nil
            && decoders.contains { $0.part == part && $0.through == record.source.lowerBound }
        guard continues || record.startsWithKeyFrame else {
            return .notDecoded(.waitingForKeyFrame)
        }
        let request = InspectionRequest(
            task: .inspect,
            codec: record.position.track.codec,
            part: part,
            wantsFreshDecoder: !continues,
            frames: frames.map(\.bytes)
        )
        let outcome = ask(request)
        if child != nil { remember(part, through: record.source.upperBound, isFresh: !continues) }
        return outcome
    }

    /// Mirrors which decoders the child has: the same rule, so no word about it has to cross.
    private func remember(_ part: UInt32, through: UInt64, isFresh: Bool) {
        guard isFresh else {
            for index in decoders.indices where decoders[index].part == part {
                decoders[index].through = through
            }
            return
        }
        decoders.removeAll { $0.part == part }
        if decoders.count == FrameInspector.decodersMax { decoders.removeFirst() }
        decoders.append((part, through))
    }

    private func ask(_ request: InspectionRequest) -> InspectionOutcome {
        switch answer(to: request.encoded(), ChunkPictures.init) {
        case .success(let pictures): .decoded(pictures)
        case .failure(let reason): .notDecoded(reason)
        }
    }

    /// Sends the child a request, and reads its answer; starts one if there is none.
    func answer<Answer>(
        to message: [UInt8],
        _ read: ([UInt8]) throws -> Answer
    ) -> Result<Answer, InspectionOutcome.Reason> {
        do {
            let running = try child ?? ChildProcess(executable: executable, arguments: arguments)
            child = running
            return .success(try read(running.exchange(message, milliseconds: milliseconds)))
        } catch let failure as ChildProcess.Failure {
            forgetChild()
            return .failure(reason(failure))
        } catch {
            forgetChild()
            return .failure(.unavailable("the child's answer is malformed"))
        }
    }

    private func forgetChild() {
        child = nil
        decoders = []
    }

    private func reason(_ failure: ChildProcess.Failure) -> InspectionOutcome.Reason {
        switch failure {
        case .start(let fact): .unavailable(fact)
        case .died(let status): .childDied(status: status)
        case .timedOut: .timedOut(milliseconds: milliseconds)
        }
    }
}
