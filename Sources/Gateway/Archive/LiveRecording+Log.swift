// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Media

extension LiveRecording {
    /// Logs the chunks that wait, oldest first; what fails stays and is tried again before anything else.
    func logWaiting() async throws {
        while let chunk = unlogged.first {
            try await log(chunk)
            unlogged.removeFirst()
            signals.raise(facts.stream)
        }
    }

    private func log(_ chunk: ArchivedChunk) async throws {
        let standing = try ledger.standing(of: facts.stream)
        // Frames that were synced before the stop, or found after a crash, still belong to the recording.
        let arrival: ArchiveChunk.Arrival = standing.isOver ? .recovered : .live
        if !standing.isOver { try await resume(with: chunk, standing) }
        let answer = try await ledger.record(
            ArchiveChunk(event(chunk), of: facts.stream, arrival: arrival),
            id: "chunk~\(facts.stream)~\(chunk.index)",
            of: facts,
            for: sender
        )
        if let receipt = answer.receipt { positions[chunk.part] = receipt.last }
        try await logGap(before: chunk)
        timelineEnd = max(timelineEnd ?? 0, chunk.lastMilliseconds)
    }

    private func event(_ chunk: ArchivedChunk) -> StreamChunkArchived {
        guard let digest = SHA256Digest(chunk.sha256) else {
            preconditionFailure("the recording writer gives SHA-256 in hexadecimal")
        }
        return StreamChunkArchived(
            number: chunk.index,
            file: facts.file,
            offset: Int(chunk.offset),
            length: chunk.length,
            sha256: digest,
            firstMilliseconds: Int(chunk.firstMilliseconds),
            lastMilliseconds: Int(chunk.lastMilliseconds),
            keyFrame: chunk.startsWithKeyFrame,
            part: Int(chunk.part),
            through: Int(chunk.source.upperBound)
        )
    }

    /// Says that video arrives again, or that a new part of it begins.
    private func resume(with chunk: ArchivedChunk, _ standing: Commands.Stream) async throws {
        let part = Int(chunk.part)
        let isNewPart = part > standing.part && standing.chunks > 0
        guard standing.phase == .interrupted || isNewPart else { return }
        let gap = max(0, chunk.firstMilliseconds - (timelineEnd ?? chunk.firstMilliseconds))
        try await ledger.record(
            ResumeStream(
                facts.stream,
                gapMilliseconds: Int(gap),
                part: max(part, standing.part)
            ),
            id: "resume~\(facts.stream)~\(chunk.index)",
            of: facts,
            for: sender
        )
    }

    private func logGap(before chunk: ArchivedChunk) async throws {
        let gap: StreamGapDetected
        if chunk.followsLeap {
            // How long it really was only the sender's clock could tell.
            gap = StreamGapDetected(
                fromMilliseconds: Int(chunk.firstMilliseconds) - 1,
                toMilliseconds: Int(chunk.firstMilliseconds),
                cause: "clock"
            )
        } else if let end = timelineEnd,
            chunk.firstMilliseconds - end > limits.gapMillisecondsMin
        {
            gap = StreamGapDetected(
                fromMilliseconds: Int(end),
                toMilliseconds: Int(chunk.firstMilliseconds),
                cause: chunk.source.lowerBound == 0 ? "reconnect" : "sender"
            )
        } else {
            return
        }
        try await ledger.record(
            RecordGap(gap, in: facts.stream),
            id: "gap~\(facts.stream)~\(chunk.index)",
            of: facts,
            for: sender
        )
    }

    /// Notes what the sender says about its picture, if it is new.
    ///
    /// - Parameters:
    ///   - new: What it says.
    ///   - cause: Why it changed.
    ///   - sender: Who says so, and has a budget for it.
    /// - Throws: `CommandFault` when the budget is used up; what the ledger throws.
    func change(
        to new: StreamSettings,
        cause: StreamQualityChanged.Cause,
        by sender: Actor
    ) async throws {
        try await inTurn {
            let index = try ledger.index(of: facts.stream)
            guard let known = settings ?? index.settings, known != new else { return }
            let step = "\(facts.stream)~\(index.chunks.count)~\(ledger.now().microseconds)"
            if !known.isSamePicture(as: new) {
                let change = ChangeQuality(of: facts.stream, to: new, cause: cause)
                try await ledger.record(change, id: "quality~\(step)", of: facts, by: sender)
            }
            let adjusted = AdjustCamera(of: facts.stream, from: known, to: new)
            try await ledger.record(adjusted, id: "camera~\(step)", of: facts, by: sender)
            settings = new.completed(by: known)
        }
    }

    /// Records that nothing arrives any more.
    func interrupt(_ reason: StreamInterrupted.Reason) async throws {
        try await inTurn {
            let standing = try ledger.standing(of: facts.stream)
            guard standing.phase == .live else { return }
            try await ledger.record(
                InterruptStream(facts.stream, reason: reason),
                id: "interrupt~\(facts.stream)~\(standing.chunks)~\(ledger.now().microseconds)",
                of: facts,
                for: sender
            )
            signals.raise(facts.stream)
        }
    }
}

extension StreamIndex {
    /// What the sender said last about its picture.
    var settings: StreamSettings? {
        if let quality {
            return StreamSettings(
                quality: quality.quality,
                width: quality.width,
                height: quality.height,
                framesPerSecond: quality.framesPerSecond,
                kilobitsPerSecond: quality.kilobitsPerSecond,
                camera: camera,
                isLit: isLit
            )
        }
        return start.map {
            StreamSettings(
                quality: $0.quality,
                width: $0.width,
                height: $0.height,
                framesPerSecond: $0.framesPerSecond,
                kilobitsPerSecond: $0.kilobitsPerSecond,
                camera: camera,
                isLit: isLit
            )
        }
    }
}
