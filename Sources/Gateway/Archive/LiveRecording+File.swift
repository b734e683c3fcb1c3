// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging
import Media

extension LiveRecording {
    /// The writer; opens the file where it is closed, and takes in what a crash left there.
    func opened() async throws -> RecordingWriter {
        if let writer { return writer }
        // What is not mounted is neither lost nor cut off.
        try room.checkFolder()
        let index = try ledger.index(of: facts.stream)
        guard index.finalized == nil else { throw ArchiveError.stopped(facts.stream) }
        let start = Double(facts.start.microseconds) / 1_000_000
        do {
            let found = try RecordingWriter.open(
                path,
                seal: seal,
                start: Date(timeIntervalSince1970: start),
                logged: index.chunks.map(\.logged),
                allowance: budget.chunks(of: facts.caller)
            )
            writer = found.writer
            unlogged = found.unlogged
            if found.tornBytes > 0 {
                logger.notice(
                    "a torn end was cut off a recording",
                    metadata: ["stream": "\(facts.stream)", "bytes": "\(found.tornBytes)"]
                )
            }
            if let aside = found.setAside { await tell(aside, behind: index.chunks.count) }
            for chunk in index.chunks { positions[chunk.place.part] = chunk.position }
            timelineEnd = index.chunks.map(\.place.lastMilliseconds).max()
            return found.writer
        } catch {
            await recordFailure(error)
            throw error
        }
    }

    /// Runs what writes; after a failure of the disk the file is closed, to be recovered at the next try.
    func guarding(_ operation: () throws -> Void) async throws {
        do {
            try operation()
        } catch let error as RecordingError where !error.isRefusal {
            release()
            await recordFailure(error)
            throw error
        }
    }

    /// Closes the file; frames that wait for their cluster are forgotten, none of them was acknowledged.
    func release() {
        writer = nil
        unlogged = []
        budget.forget(facts)
    }

    /// Closes the file once whoever has the turn is done.
    func close() async {
        await inTurn { release() }
    }

    /// Records, once a minute, that the archive could not keep what arrived.
    private func recordFailure(_ error: RecordingError) async {
        let minute = ledger.now().microseconds / 60_000_000
        guard toldFailure?.minute != minute || toldFailure?.error != error else { return }
        toldFailure = (minute, error)
        logger.error(
            "recording failed",
            metadata: ["stream": "\(facts.stream)", "error": "\(error)"]
        )
        if error.isDamage { faults.keep(Fault(error), of: facts.stream) }
        await record(error.reasonCode, error.publicText, id: "fail~\(facts.stream)~\(minute)")
    }

    /// Says aloud that the file had bytes that neither the log nor the archive's seal vouches for.
    private func tell(_ aside: SetAside, behind chunks: Int) async {
        let name = URL(filePath: aside.path).lastPathComponent
        let words =
            "\(aside.bytes) bytes behind its \(chunks) chunks carry no seal of this archive and are set aside"
        let advice =
            "look at \(name): an older version or a power cut left them, or somebody else wrote them"
        faults.keep(
            Fault(code: "set aside \(name)", words: "\(words); \(advice)"),
            of: facts.stream
        )
        logger.error(
            "bytes of a recording that nobody vouches for were set aside",
            metadata: [
                "category": "security", "stream": "\(facts.stream)", "bytes": "\(aside.bytes)",
                "file": "\(name)",
            ]
        )
        await record("unsealed", words, id: "aside~\(facts.stream)~\(chunks)~\(name)")
    }

    private func record(_ reasonCode: String, _ text: String, id: String) async {
        do {
            try await ledger.record(
                FailRecording(facts.stream, reasonCode: reasonCode, text: text),
                id: id,
                of: facts
            )
        } catch {
            // The disk that failed the recording may fail the log as well; its own error tells more.
            logger.error("the failure could not be recorded", metadata: ["error": "\(error)"])
        }
    }

    /// Ends the recording of a stopped stream: what waits is logged, then duration and cues are written.
    ///
    /// Repeating it gives the same event.
    func finish() async throws {
        try await inTurn {
            guard try ledger.index(of: facts.stream).finalized == nil else { return release() }
            let writer = try await opened()
            try await logWaiting()
            try await guarding {
                for part in writer.progress.keys.sorted() {
                    unlogged += try writer.end(part: part).chunks
                }
            }
            try await logWaiting()
            var finished: FinishedRecording?
            try await guarding { finished = try writer.finalize() }
            if let aside = finished?.setAside { await tell(aside, behind: writer.chunks.count) }
            if let finished { try await log(finished) }
            release()
        }
        signals.raise(facts.stream)
    }

    private func log(_ finished: FinishedRecording) async throws {
        guard let digest = SHA256Digest(finished.sha256) else {
            preconditionFailure("the recording writer gives SHA-256 in hexadecimal")
        }
        try await ledger.record(
            FinalizeStream(
                facts.stream,
                as: StreamFinalized(
                    file: facts.file,
                    sha256: digest,
                    bytes: Int(finished.length),
                    durationMilliseconds: Int(finished.milliseconds)
                )
            ),
            id: "finalize~\(facts.stream)",
            of: facts
        )
    }

    private var isTickDue: Bool {
        guard let triesAgainAt else { return true }
        return ContinuousClock.now >= triesAgainAt
    }

    /// What the archive does from time to time: writes what waits too long, closes idle files.
    ///
    /// Silence is noted by the policy that watches it, which a restart does not confuse.
    func tick() async throws {
        guard !isBusy, writer != nil, isTickDue else { return }
        let quiet = ContinuousClock.now - lastHeard
        guard isFlushDue || quiet >= limits.releaseAfter else { return }
        do {
            try await flush()
            triesAgainAt = nil
        } catch {
            triesAgainAt = ContinuousClock.now + limits.retryAfter
            throw error
        }
        if quiet >= limits.releaseAfter { await close() }
    }
}

extension RecordingError {
    /// Whether the same may succeed later: when there is room again, or the other process is gone.
    var canPass: Bool {
        switch self {
        case .storage, .inUse, .afterFailure: true
        default: false
        }
    }

    /// Whether the file is not what was archived: somebody has to look at it, and a copy has to come back.
    var isDamage: Bool {
        switch self {
        case .damaged, .truncated: true
        default: false
        }
    }

    /// A short word for what failed.
    var reasonCode: String {
        switch self {
        case .storage, .namesTaken, .inUse: "storage"
        case .damaged, .truncated: "damaged"
        default: "recording"
        }
    }

    /// What may stand in the log: the fact, without where this machine keeps its files.
    var publicText: String {
        switch self {
        case .storage(let attempt, _, let code):
            "\(attempt) the recording failed: \(String(cString: strerror(code)))"
        case .damaged(_, let chunk, let offset):
            "chunk \(chunk) at byte \(offset) is not as it was logged"
        case .truncated(_, let expected, let actual):
            "the file ends at byte \(actual), \(expected) were expected"
        case .inUse: "another process writes the file"
        default: "the recording takes nothing more"
        }
    }
}
