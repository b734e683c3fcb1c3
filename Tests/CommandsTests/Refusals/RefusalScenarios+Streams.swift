// SPDX-License-Identifier: Apache-2.0
import Events

@testable import Commands

extension RefusalScenario {
    static let streams: [RefusalScenario] = starting + archiving + running + finishing

    private static let starting = [
        RefusalScenario("StartStream.unavailable") { ledger in
            try ledger.stream(in: try ledger.expiredVideo())
        },
        RefusalScenario("StartStream.notAsked") { ledger in
            try ledger.run(EnablePolicy(Policy.callerVideo, settings: ["anytime": 0]))
            _ = try ledger.stream(in: ledger.chat())
        },
        RefusalScenario("WishVideo.unavailable") { ledger in
            let scene = try ledger.closedChat()
            try ledger.run(WishVideo(in: scene.session, by: scene.caller))
        },
        RefusalScenario("WishVideo.notYours") { ledger in
            try ledger.run(WishVideo(in: ledger.chat().session, by: ledger.person()))
        },
        RefusalScenario("WithdrawVideoWish.unavailable") { ledger in
            let scene = try ledger.closedChat()
            try ledger.run(WithdrawVideoWish(in: scene.session, by: scene.caller))
        },
        RefusalScenario("WithdrawVideoWish.notYours") { ledger in
            try ledger.run(WithdrawVideoWish(in: ledger.chat().session, by: ledger.person()))
        },
        RefusalScenario("WithdrawVideoWish.taken") { ledger in
            try ledger.run(EnablePolicy(Policy.callerVideo, settings: ["anytime": 0]))
            let scene = try ledger.chat()
            try ledger.run(WishVideo(in: scene.session, by: scene.caller))
            try ledger.run(ClaimSession(scene.session, by: .sam))
            try ledger.run(WithdrawVideoWish(in: scene.session, by: scene.caller))
        },
        RefusalScenario("StartStream.exists") { ledger in
            let scene = try ledger.video()
            let stream = try ledger.stream(in: scene)
            try ledger.run(
                ledger.start(stream, in: scene.session, from: .link(of: scene.caller))
            )
        },
        RefusalScenario("StartStream.unacceptable") { ledger in
            let scene = try ledger.video()
            let tooFast = StreamSettings(
                quality: .low,
                width: 320,
                height: 180,
                framesPerSecond: 30,
                kilobitsPerSecond: 4000
            )
            try ledger.run(
                ledger.start(
                    ledger.id(),
                    in: scene.session,
                    from: .link(of: scene.caller),
                    settings: tooFast
                )
            )
        },
        RefusalScenario("StartStream.consentRefused") { ledger in
            let scene = try ledger.video()
            try ledger.run(
                RecordConsent(
                    scene.session,
                    by: .caller(scene.caller),
                    scope: .video,
                    decision: .refused,
                    textVersion: "2026-1"
                )
            )
            try ledger.stream(in: scene)
        },
        RefusalScenario("StartStream.tooManyStreams") { ledger in
            let scene = try ledger.video()
            for _ in 0...CommandLimits.streamsPerSessionMax { try ledger.stream(in: scene) }
        },
        RefusalScenario("StartStream.otherNumber") { ledger in
            let scene = try ledger.video()
            let device = try ledger.device(of: ledger.person())
            try ledger.run(ledger.start(ledger.id(), in: scene.session, from: .device(device)))
        },
        RefusalScenario("StartStream.deviceNotValid") { ledger in
            let scene = try ledger.video()
            let device = try ledger.device(of: scene.caller)
            try ledger.run(RevokeDevice(device, reason: "stolen"))
            try ledger.run(ledger.start(ledger.id(), in: scene.session, from: .device(device)))
        },
    ]

    private static let archiving = [
        RefusalScenario("ArchiveChunk.unavailable") { ledger in
            try ledger.run(ArchiveChunk(.sample(0), of: ledger.id()))
        },
        RefusalScenario("ArchiveChunk.notNext") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(ArchiveChunk(.sample(1), of: stream))
        },
        RefusalScenario("ArchiveChunk.overlaps") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(ArchiveChunk(.sample(0), of: stream))
            try ledger.run(ArchiveChunk(.sample(1, offset: 5_999), of: stream))
        },
        RefusalScenario("ArchiveChunk.differs") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(ArchiveChunk(.sample(0), of: stream))
            try ledger.run(ArchiveChunk(.sample(0, bytes: 999), of: stream))
        },
        RefusalScenario("ArchiveChunk.unacceptable") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(ArchiveChunk(.sample(0, bytes: 0), of: stream))
        },
        RefusalScenario("RecordInspection.unknown") { ledger in
            try ledger.run(RecordInspection(.sample(0...0), of: ledger.id()))
        },
        RefusalScenario("RecordInspection.notArchived") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(ArchiveChunk(.sample(0), of: stream))
            try ledger.run(RecordInspection(.sample(0...1), of: stream))
        },
        RefusalScenario("RecordInspection.notNext") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(ArchiveChunk(.sample(0), of: stream))
            try ledger.run(ArchiveChunk(.sample(1), of: stream))
            try ledger.run(RecordInspection(.sample(1...1), of: stream))
        },
        RefusalScenario("RecordInspection.unacceptable") { ledger in
            try ledger.run(RecordInspection(.sample(first: 2, last: 1), of: ledger.id()))
        },
    ]

    private static let running = [
        RefusalScenario("RecordGap.unavailable") { ledger in
            try ledger.run(RecordGap(gap(0, 500), in: ledger.id()))
        },
        RefusalScenario("RecordGap.unacceptable") { ledger in
            try ledger.run(RecordGap(gap(500, 500), in: ledger.id()))
        },
        RefusalScenario("ChangeQuality.unavailable") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(StopStream(stream, by: .caller, reason: "done"))
            try ledger.run(ChangeQuality(of: stream, to: .medium, cause: .user))
        },
        RefusalScenario("ChangeQuality.unacceptable") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            let flat = StreamSettings(
                quality: .high,
                width: 1280,
                height: 0,
                framesPerSecond: 30,
                kilobitsPerSecond: 2500
            )
            try ledger.run(ChangeQuality(of: stream, to: flat, cause: .user))
        },
        RefusalScenario("AdjustCamera.unavailable") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(StopStream(stream, by: .caller, reason: "done"))
            try ledger.run(AdjustCamera(of: stream, light: .on))
        },
        RefusalScenario("AdjustCamera.unacceptable") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            let long = String(repeating: "x", count: CommandLimits.wordBytesMax + 1)
            try ledger.run(AdjustCamera(of: stream, to: long))
        },
        RefusalScenario("InterruptStream.unavailable") { ledger in
            try ledger.run(InterruptStream(ledger.id(), reason: .silence))
        },
        RefusalScenario("ResumeStream.unavailable") { ledger in
            try ledger.run(ResumeStream(ledger.id(), gapMilliseconds: 0, part: 0))
        },
        RefusalScenario("ResumeStream.partGone") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(ResumeStream(stream, gapMilliseconds: 0, part: 2))
            try ledger.run(ResumeStream(stream, gapMilliseconds: 0, part: 1))
        },
        RefusalScenario("ResumeStream.unacceptable") { ledger in
            try ledger.run(ResumeStream(ledger.id(), gapMilliseconds: -1, part: 0))
        },
        RefusalScenario("RecordViewing.unknown") { ledger in
            try ledger.run(
                RecordViewing(of: ledger.id(), by: .user(.sam, as: .operator), mode: .live)
            )
        },
    ]

    private static let finishing = [
        RefusalScenario("StopStream.unknown") { ledger in
            try ledger.run(StopStream(ledger.id(), by: .operator, reason: "done"))
        },
        RefusalScenario("StopStream.unacceptable") { ledger in
            try ledger.run(StopStream(ledger.id(), by: .operator, reason: ""))
        },
        RefusalScenario("FinalizeStream.unknown") { ledger in
            try ledger.run(FinalizeStream(ledger.id(), as: .sample()))
        },
        RefusalScenario("FinalizeStream.notStopped") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(FinalizeStream(stream, as: .sample()))
        },
        RefusalScenario("FinalizeStream.differs") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(StopStream(stream, by: .caller, reason: "done"))
            try ledger.run(FinalizeStream(stream, as: .sample()))
            try ledger.run(FinalizeStream(stream, as: .sample(bytes: 1)))
        },
        RefusalScenario("FailRecording.unavailable") { ledger in
            let stream = try ledger.stream(in: try ledger.video())
            try ledger.run(StopStream(stream, by: .caller, reason: "done"))
            try ledger.run(FinalizeStream(stream, as: .sample()))
            try ledger.run(FailRecording(stream, reasonCode: "disk-full", text: "no room"))
        },
        RefusalScenario("FailRecording.unacceptable") { ledger in
            try ledger.run(FailRecording(ledger.id(), reasonCode: "", text: "no room"))
        },
    ]

    private static func gap(_ from: Int, _ to: Int) -> StreamGapDetected {
        StreamGapDetected(fromMilliseconds: from, toMilliseconds: to, cause: "disconnected")
    }
}

extension StreamFinalized {
    static func sample(bytes: Int = 1_000) -> StreamFinalized {
        StreamFinalized(
            file: "2026/11/2026-11-21-13-11-123456789.webm",
            sha256: .sample(),
            bytes: bytes,
            durationMilliseconds: 966
        )
    }
}

extension StreamChunksInspected {
    static func sample(_ chunks: ClosedRange<Int>) -> StreamChunksInspected {
        sample(first: chunks.lowerBound, last: chunks.upperBound)
    }

    static func sample(first: Int, last: Int) -> StreamChunksInspected {
        StreamChunksInspected(
            firstChunk: first,
            lastChunk: last,
            outcome: .decoded,
            frames: 30,
            undecodable: 0,
            width: 640,
            height: 360
        )
    }
}
