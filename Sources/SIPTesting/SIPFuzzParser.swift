// SPDX-License-Identifier: Apache-2.0
import SIP

/// A parser of SIP, and what must hold of it for any bytes, however hostile.
public struct SIPFuzzParser: Sendable {
    /// A promise that it did not keep.
    public struct Fault: Error, CustomStringConvertible {
        public let description: String
    }

    /// What a fuzzer calls it.
    public let name: String
    /// Bytes that it accepts.
    public let samples: [[UInt8]]
    /// Whether it accepts the bytes; throws ``Fault`` when it breaks a promise.
    public let examine: @Sendable ([UInt8]) throws -> Bool

    /// Every parser of bytes that strangers send.
    public static let all = [message, stream, sessionDescription, multipart, location]

    /// A datagram: what is read is written as it was read, and so is the answer to it.
    public static let message = SIPFuzzParser(name: "sip", samples: SIPSamples.messages) { bytes in
        _ = SIPRequest.salvage(bytes)
        let message: SIPMessage
        do { message = try SIPMessage.parse(bytes) } catch { return try refuses(error) }
        guard try SIPMessage.parse(message.bytes) == message else {
            throw Fault(description: "a message is written otherwise than it was read")
        }
        guard case .request(let request) = message else { return true }
        let came = try ReceivedRequest(request, from: SIPPeer(.udp, host: "::1", port: 9))
        let response = SIPResponse(200, to: came.request, tag: "t")
        guard try SIPMessage.parse(response.bytes) == .response(response) else {
            throw Fault(description: "an answer is written otherwise than it was made")
        }
        if case .sip(let uri) = request.uri { _ = uri.user }
        return true
    }

    /// A connection: how its bytes are cut changes no message.
    public static let stream = SIPFuzzParser(
        name: "sip-stream",
        samples: [SIPSamples.messages.flatMap { $0 }]
    ) { bytes in
        let whole = frames(bytes, piece: bytes.count + 1)
        guard frames(bytes, piece: bytes.count % 97 + 1) == whole else {
            throw Fault(description: "the pieces of a stream change its messages")
        }
        return !whole.isEmpty
    }

    /// A session description: its lines of media stay within their limit, and their ports are ports.
    public static let sessionDescription = SIPFuzzParser(
        name: "sdp",
        samples: [SIPSamples.offer]
    ) { bytes in
        let session: SessionDescription
        do { session = try SessionDescription.parse(bytes) } catch { return try refuses(error) }
        guard session.media.count <= SIPLimits.mediaMax,
            session.media.allSatisfy({ (0...65_535).contains($0.port) && !$0.formats.isEmpty })
        else { throw Fault(description: "media of \(session.media)") }
        return true
    }

    /// A body whose type is the first line: its parts are within their limit, and together no longer than it.
    public static let multipart = SIPFuzzParser(
        name: "multipart",
        samples: [SIPSamples.located, SIPSamples.nested]
    ) { bytes in
        let type = bytes.prefix { $0 != 10 }
        let rest = Array(bytes.dropFirst(type.count + 1))
        let fields: HeaderFields = [
            HeaderField("Content-Type", String(decoding: type, as: UTF8.self))
        ]
        let body: MultipartBody
        do { body = try MultipartBody.parse(rest, fields: fields) } catch {
            return try refuses(error)
        }
        guard body.parts.count <= SIPLimits.partsMax,
            body.parts.reduce(0, { $0 + $1.bytes.count }) <= rest.count
        else { throw Fault(description: "the parts are more or longer than their body") }
        for part in body.parts {
            guard let id = part.contentID else { continue }
            _ = body.part(named: "<cid:\(id)>")
        }
        return true
    }

    /// A place: it is on the Earth.
    public static let location = SIPFuzzParser(
        name: "pidf",
        samples: SIPSamples.places
    ) { bytes in
        let place: PIDFLocation
        do { place = try PIDFLocation.parse(bytes) } catch { return try refuses(error) }
        guard (-90...90).contains(place.latitude), (-180...180).contains(place.longitude),
            place.accuracy ?? 0 >= 0, place.altitude?.isFinite ?? true
        else { throw Fault(description: "a place at \(place)") }
        return true
    }

    /// The error's text is part of the promise: it must be there and never trap.
    private static func refuses(_ error: any Error) throws -> Bool {
        guard !"\(error)".isEmpty else { throw Fault(description: "refused without a word") }
        return false
    }

    /// The messages of a stream, up to a fault; empty lines may be parted by pieces.
    private static func frames(_ bytes: [UInt8], piece: Int) -> [SIPStreamFramer.Frame] {
        var framer = SIPStreamFramer()
        var frames: [SIPStreamFramer.Frame] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            framer.append(bytes[start..<min(start + piece, bytes.count)])
            do {
                while let frame = try framer.next() { if frame != .ping { frames.append(frame) } }
            } catch {
                return frames
            }
        }
        return frames
    }
}
