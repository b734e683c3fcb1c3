// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import SIPTesting
import TestSupport
import Testing

@testable import SIP

/// Promise 10; at length by `make campaign PART=fuzz`.
@Suite(.tags(.promise10)) struct `Bytes that are nearly SIP` {
    private static let words = [
        "\r\n", "\r\n ", "\r\n\r\n", "SIP/2.0", "Via: SIP/2.0/UDP a;branch=z9hG4bK1", "<sip:a@b>",
        ";tag=", "Content-Length: 5", "l: 99999999999999999999", "%00", "\"", "\\", "[::1]", ",",
        "multipart/mixed;boundary=b", "--b", "<!DOCTYPE", "&amp;", "<a>", "</a>", "m=audio 1 RTP 0",
    ]

    @Test(arguments: SIPFuzzParser.all)
    func `are read or refused`(parser: SIPFuzzParser) throws {
        for sample in parser.samples { #expect(try parser.examine(sample)) }
        let isOfMessages = parser.name.hasPrefix("sip")
        let more = isOfMessages ? Torture.all.map(\.bytes) : []
        var fuzzer = Fuzzer(samples: parser.samples + more, words: Self.words)
        let tally = try fuzzer.run(parser.name, rounds: Fuzzer.rounds * 3, parser.examine)
        #expect(tally.accepted > 0 && tally.refused > 0)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `given to a table, never make it larger than it may be`(seed: UInt64) throws {
        let samples = Torture.all.map(\.bytes)
        var mutator = ByteMutator(samples: samples, words: Self.words, seed: seed)
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
