// SPDX-License-Identifier: Apache-2.0
import Events

extension SummaryText {
    mutating func add(_ event: StreamEvent) {
        switch event {
        case .started(let fact): add(fact)
        case .chunkArchived(let fact):
            add("chunk", fact.number)
            add("part", fact.part)
            if fact.keyFrame { add("keyFrame", "yes") }
        case .chunksInspected(let fact): add(fact)
        case .gapDetected(let fact):
            add("fromMilliseconds", fact.fromMilliseconds)
            add("toMilliseconds", fact.toMilliseconds)
            add("cause", fact.cause)
        case .qualityChanged(let fact):
            add("quality", fact.quality.rawValue)
            add("size", "\(fact.width)x\(fact.height)")
            add("kilobitsPerSecond", fact.kilobitsPerSecond)
            add("cause", fact.cause.rawValue)
        case .cameraSwitched(let fact): add("camera", fact.camera)
        case .torchToggled(let fact): add("light", fact.isOn ? "on" : "off")
        case .interrupted(let fact): add("reason", fact.reason.rawValue)
        case .resumed(let fact):
            add("gapMilliseconds", fact.gapMilliseconds)
            add("part", fact.part)
        case .stopped(let fact):
            add("by", fact.by.rawValue)
            add("reason", fact.reason)
            add("durationMilliseconds", fact.durationMilliseconds)
            add("chunks", fact.chunks)
            add("bytes", fact.bytes)
        case .finalized(let fact): add("sha256", fact.sha256)
        case .recordingFailed(let fact):
            add("reasonCode", fact.reasonCode)
            add("text", fact.text)
        case .viewed(let fact):
            add("viewer", fact.viewer)
            add("mode", fact.mode.rawValue)
        }
    }

    private mutating func add(_ fact: StreamStarted) {
        add("session", fact.session)
        add("transport", fact.transport.rawValue)
        add("codec", fact.codec.rawValue)
        add("size", "\(fact.width)x\(fact.height)")
        add("framesPerSecond", fact.framesPerSecond)
        add("quality", fact.quality.rawValue)
        add("camera", fact.camera)
    }

    private mutating func add(_ fact: StreamChunksInspected) {
        add("chunks", "\(fact.firstChunk)-\(fact.lastChunk)")
        add("outcome", fact.outcome.rawValue)
        add("frames", fact.frames)
        add("undecodable", fact.undecodable)
    }
}
