// SPDX-License-Identifier: Apache-2.0
import Events

extension ArbitraryFacts {
    static let streams: [Row] = [
        Row(
            { .stream(.started($0)) },
            draw: {
                StreamStarted(
                    session: $0.id(),
                    incident: $0.id(),
                    caller: $0.person(),
                    transport: $0.oneOf(),
                    codec: $0.oneOf(),
                    width: $0.integer(),
                    height: $0.integer(),
                    framesPerSecond: $0.integer(),
                    kilobitsPerSecond: $0.integer(),
                    quality: $0.oneOf(),
                    camera: $0.maybe { $0.text() },
                    file: $0.text(),
                    timeZone: $0.text()
                )
            }
        ),
        Row(
            { .stream(.chunkArchived($0)) },
            draw: {
                StreamChunkArchived(
                    number: $0.integer(),
                    file: $0.text(),
                    offset: $0.integer(),
                    length: $0.integer(),
                    sha256: $0.digest(),
                    firstMilliseconds: $0.integer(),
                    lastMilliseconds: $0.integer(),
                    keyFrame: $0.bool(),
                    part: $0.integer(),
                    through: $0.integer()
                )
            }
        ),
        Row(
            { .stream(.chunksInspected($0)) },
            draw: {
                StreamChunksInspected(
                    firstChunk: $0.integer(),
                    lastChunk: $0.integer(),
                    outcome: $0.oneOf(),
                    frames: $0.integer(),
                    undecodable: $0.integer(),
                    width: $0.integer(),
                    height: $0.integer(),
                    meanLuma: $0.maybe { $0.double() },
                    thumbnail: $0.maybe { $0.digest() }
                )
            }
        ),
        Row(
            { .stream(.gapDetected($0)) },
            draw: {
                StreamGapDetected(
                    fromMilliseconds: $0.integer(),
                    toMilliseconds: $0.integer(),
                    cause: $0.text()
                )
            }
        ),
        Row(
            { .stream(.qualityChanged($0)) },
            draw: {
                StreamQualityChanged(
                    quality: $0.oneOf(),
                    width: $0.integer(),
                    height: $0.integer(),
                    framesPerSecond: $0.integer(),
                    kilobitsPerSecond: $0.integer(),
                    camera: $0.maybe { $0.text() },
                    cause: $0.oneOf()
                )
            }
        ),
        Row({ .stream(.cameraSwitched($0)) }, draw: { StreamCameraSwitched(camera: $0.text()) }),
        Row({ .stream(.torchToggled($0)) }, draw: { StreamTorchToggled(isOn: $0.bool()) }),
        Row({ .stream(.interrupted($0)) }, draw: { StreamInterrupted(reason: $0.oneOf()) }),
        Row(
            { .stream(.resumed($0)) },
            draw: {
                StreamResumed(gapMilliseconds: $0.integer(), part: $0.integer())
            }
        ),
        Row(
            { .stream(.stopped($0)) },
            draw: {
                StreamStopped(
                    session: $0.id(),
                    by: $0.oneOf(),
                    reason: $0.text(),
                    durationMilliseconds: $0.integer(),
                    chunks: $0.integer(),
                    bytes: $0.integer()
                )
            }
        ),
        Row(
            { .stream(.finalized($0)) },
            draw: {
                StreamFinalized(
                    file: $0.text(),
                    sha256: $0.digest(),
                    bytes: $0.integer(),
                    durationMilliseconds: $0.integer()
                )
            }
        ),
        Row(
            { .stream(.recordingFailed($0)) },
            draw: {
                StreamRecordingFailed(reasonCode: $0.text(), text: $0.text())
            }
        ),
        Row(
            { .stream(.viewed($0)) },
            draw: {
                StreamViewed(
                    viewer: $0.actor(),
                    mode: $0.oneOf(),
                    fromMilliseconds: $0.maybe { $0.integer() },
                    toMilliseconds: $0.maybe { $0.integer() }
                )
            }
        ),
    ]
}
