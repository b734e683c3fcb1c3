// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import NIOCore

/// What a sender says about its picture: the settings frame of `Documentation/asyncapi.yaml`, and the body that creates a stream.
struct SettingsWire: Codable, Hashable, Sendable {
    let width: Int
    let height: Int
    let framesPerSecond: Int
    let kilobitsPerSecond: Int
    let quality: Quality
    var camera: String?
    /// Whether the light beside the camera is on.
    var torch: Bool?
    var codec: StreamStarted.Codec?
    /// Who wanted it: `user`, `automatic`, `operator`; `user` if it is missing.
    var cause: StreamQualityChanged.Cause?

    var settings: StreamSettings {
        StreamSettings(
            quality: quality,
            width: width,
            height: height,
            framesPerSecond: framesPerSecond,
            kilobitsPerSecond: kilobitsPerSecond,
            camera: camera,
            isLit: torch
        )
    }
}

/// A part that has begun, and how long before its first picture another one began.
struct NextPart: Hashable, Sendable, Decodable {
    let part: UInt32
    let milliseconds: Int64
}

/// A JSON frame of a sender.
enum IngestRequest: Hashable, Sendable {
    /// `{"type":"settings", …}`: the first frame, and again at every change.
    case settings(SettingsWire)
    /// `{"type":"late","part":2,"millisecondsAgo":8200}`: part 2 was recorded while the connection was gone, and
    /// began that long ago, or so long `before` another part that has begun; it fills the gap on the timeline (ruling 30).
    case late(part: UInt32, millisecondsAgo: Int64, before: NextPart?)
    /// `{"type":"end","part":2}`: no more bytes of part 2 will come.
    case end(part: UInt32)
    /// `{"type":"stop"}`: the stream is over.
    case stop(reason: String)
}

extension IngestRequest: Decodable {
    private struct Fields: Decodable {
        let type: String
        var part: UInt32?
        var millisecondsAgo: Int64?
        var before: NextPart?
        var reason: String?
    }

    init(from decoder: any Decoder) throws {
        let fields = try Fields(from: decoder)
        func need<Value>(_ value: Value?, _ name: String) throws -> Value {
            guard let value else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [], debugDescription: "\(fields.type) needs \(name)")
                )
            }
            return value
        }
        switch fields.type {
        case "settings": self = .settings(try SettingsWire(from: decoder))
        case "late":
            self = .late(
                part: try need(fields.part, "part"),
                millisecondsAgo: try need(fields.millisecondsAgo, "millisecondsAgo"),
                before: fields.before
            )
        case "end": self = .end(part: try need(fields.part, "part"))
        case "stop": self = .stop(reason: fields.reason ?? "stopped by the sender")
        default:
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: [],
                    debugDescription: "the type is settings, late, end or stop"
                )
            )
        }
    }
}

/// A binary frame of a sender: u32 part ‖ u64 byte offset in that part ‖ bytes, big endian.
struct IngestPiece: Hashable, Sendable {
    let part: UInt32
    let offset: UInt64
    let bytes: [UInt8]

    /// Reads a frame; `nil` when it is shorter than its head.
    init?(_ frame: ByteBuffer) {
        var frame = frame
        guard let part = frame.readInteger(as: UInt32.self),
            let offset = frame.readInteger(as: UInt64.self)
        else { return nil }
        self.part = part
        self.offset = offset
        bytes = Array(frame.readableBytesView)
    }
}

/// A JSON frame of the server.
enum IngestAnswer: Hashable, Sendable {
    /// The bytes of a part below `through` are synced and logged, up to the event at `position`; when the part has
    /// ended, no more of it will be.
    case archived(PartReceipt)
    /// Send from here.
    case resume(part: UInt32, offset: UInt64)
    /// Not taken; the connection closes. With a part: that part will not be taken if it comes again either.
    case refused(slug: String, detail: String, part: UInt32?)
    /// By whom, and why: the sender tells the caller (ruling 37).
    case stopped(by: Party, reason: String)
}

extension IngestAnswer: Encodable {
    private struct Fields: Encodable {
        let type: String
        var part: UInt32?
        var through: UInt64?
        var position: String?
        var ended: Bool?
        var offset: UInt64?
        var problem: String?
        var detail: String?
        var by: Party?
        var reason: String?
    }

    func encode(to encoder: any Encoder) throws {
        try fields.encode(to: encoder)
    }

    private var fields: Fields {
        switch self {
        case .archived(let receipt):
            Fields(
                type: "archived",
                part: receipt.part,
                through: receipt.through,
                position: receipt.position.map { "\($0)" },
                ended: receipt.hasEnded ? true : nil
            )
        case .resume(let part, let offset): Fields(type: "resume", part: part, offset: offset)
        case .refused(let slug, let detail, let part):
            Fields(
                type: "refused",
                part: part,
                problem: "urn:daybook:problem:\(slug)",
                detail: detail
            )
        case .stopped(let by, let reason): Fields(type: "stopped", by: by, reason: reason)
        }
    }
}
