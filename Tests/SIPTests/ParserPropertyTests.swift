// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Testing

@testable import SIP

@Suite struct `Bytes that are nearly SIP` {
    private static let words = [
        "\r\n", "\r\n ", "\r\n\r\n", "SIP/2.0", "Via: SIP/2.0/UDP a;branch=z9hG4bK1", "<sip:a@b>",
        ";tag=", "Content-Length: 5", "l: 99999999999999999999", "%00", "\"", "\\", "[::1]", ",",
        "multipart/mixed;boundary=b", "--b", "<!DOCTYPE", "&amp;", "<a>", "</a>", "m=audio 1 RTP 0",
    ]

    private static let samples = Torture.all.map(\.bytes) + [located.bytes]

    private static let located: SIPRequest = {
        let place = """
            <presence xmlns="urn:ietf:params:xml:ns:pidf"><tuple><status>
            <gp:geopriv xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10"><gp:location-info>
            <gs:Circle xmlns:gs="http://www.opengis.net/pidflo/1.0" srsName="EPSG:4326">
            <gml:pos xmlns:gml="http://www.opengis.net/gml">52 13</gml:pos><gs:radius>9</gs:radius>
            </gs:Circle></gp:location-info></gp:geopriv></status></tuple></presence>
            """
        let parts = [
            "--b\nContent-Type: text/plain\n\nHelp \u{1F692}\n",
            "--b\nContent-Type: application/pidf+xml\nContent-ID: <l@a>\n\n\(place)\n--b--\n",
        ]
        return .sample(
            fields: [
                HeaderField("Geolocation", "<cid:l@a>"),
                HeaderField("Content-Type", "multipart/mixed;boundary=b"),
            ],
            body: parts.joined().replacing("\n", with: "\r\n")
        )
    }()

    private static func run(
        _ name: String,
        _ samples: [[UInt8]] = samples,
        _ examine: @escaping ([UInt8]) throws -> Bool
    ) throws {
        var fuzzer = Fuzzer(samples: samples, words: words)
        let tally = try fuzzer.run(name, rounds: Fuzzer.rounds * 3, examine)
        #expect(tally.accepted > 0 && tally.refused > 0)
    }

    @Test func `are read or refused as a message, which is written as it was read`() throws {
        try Self.run("sip") { bytes in
            _ = SIPRequest.salvage(bytes)
            guard let message = try? SIPMessage.parse(bytes) else { return false }
            guard try SIPMessage.parse(message.bytes) == message else {
                throw ParserFault("a message is written otherwise than it was read")
            }
            if case .request(let request) = message {
                let came = try ReceivedRequest(request, from: SIPPeer(.udp, host: "::1", port: 9))
                let response = SIPResponse(200, to: came.request, tag: "t")
                guard try SIPMessage.parse(response.bytes) == .response(response) else {
                    throw ParserFault("an answer is written otherwise than it was made")
                }
                if case .sip(let uri) = request.uri { _ = uri.user }
            }
            return true
        }
    }

    @Test func `are the same messages on a stream whatever the pieces are`() throws {
        try Self.run("sip-stream") { bytes in
            let whole = Self.frames(bytes, piece: bytes.count + 1)
            guard Self.frames(bytes, piece: bytes.count % 97 + 1) == whole else {
                throw ParserFault("the pieces of a stream change its messages")
            }
            return !whole.isEmpty
        }
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

    @Test func `are read or refused as parts and places`() throws {
        let boundary: HeaderFields = [HeaderField("Content-Type", "multipart/mixed;boundary=b")]
        try Self.run("sip-body", [Self.located.body]) { bytes in
            _ = try? SessionDescription.parse(bytes)
            guard let body = try? MultipartBody.parse(bytes, fields: boundary) else { return false }
            guard body.parts.reduce(0, { $0 + $1.bytes.count }) <= bytes.count else {
                throw ParserFault("the parts are longer than their body")
            }
            return true
        }
        let body = try MultipartBody.parse(Self.located.body, fields: boundary)
        try Self.run("pidf", [body.parts[1].bytes]) { bytes in
            guard let place = try? PIDFLocation.parse(bytes) else { return false }
            guard (-90...90).contains(place.latitude), (-180...180).contains(place.longitude),
                place.accuracy ?? 0 >= 0
            else { throw ParserFault("a place beyond the Earth") }
            return true
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `given to a table, never make it larger than it may be`(seed: UInt64) throws {
        var mutator = ByteMutator(samples: Self.samples, words: Self.words, seed: seed)
        var chance = SeededGenerator(seed: seed)
        var table = TransactionTable(capacity: 20)
        var now = ContinuousClock.now
        for _ in 0..<600 {
            now += .milliseconds(Int.random(in: 0...1000, using: &chance))
            _ = table.tick(at: now)
            guard let message = try? SIPMessage.parse(mutator.next()) else { continue }
            let transport = SIPTransport.allCases.randomElement(using: &chance) ?? .udp
            var actions: [TransactionAction] = []
            switch message {
            case .response(let response): actions = table.receive(response, at: now)
            case .request(let request):
                let came = try ReceivedRequest(request, from: .sample(transport))
                actions = table.receive(came, tag: "t", at: now)
                _ = try? table.send(request, to: .sample(transport), at: now)
            }
            for case .handle(let key, let came, let tag) in actions {
                let status = [180, 200, 404, 488].randomElement(using: &chance) ?? 200
                let response = SIPResponse(status, to: came.request, tag: tag)
                _ = table.answer(key, with: response, at: now)
            }
            #expect(table.count <= 20)
        }
        now += .seconds(200)
        _ = table.tick(at: now)
        _ = table.tick(at: now + .seconds(200))
        #expect(table.count == 0)
    }
}
