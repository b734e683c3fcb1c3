// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SIP

/// A table with a clock that is moved by hand, and what it did by when.
private struct Timeline {
    var table: TransactionTable
    let start = ContinuousClock.now
    private(set) var now: ContinuousClock.Instant
    private(set) var sent: [(milliseconds: Int, bytes: [UInt8])] = []
    private(set) var actions: [TransactionAction] = []

    init(capacity: Int = 100) {
        table = TransactionTable(capacity: capacity)
        now = start
    }

    /// Runs everything that is due up to that many milliseconds after the start.
    mutating func advance(to milliseconds: Int) {
        let end = start + .milliseconds(milliseconds)
        while let deadline = table.nextDeadline, deadline <= end {
            now = max(now, deadline)
            note(table.tick(at: now))
        }
        now = end
    }

    mutating func receive(_ request: SIPRequest, from peer: SIPPeer = .sample()) throws {
        note(table.receive(try ReceivedRequest(request, from: peer), tag: "t", at: now))
    }

    mutating func receive(_ response: SIPResponse) {
        note(table.receive(response, at: now))
    }

    /// Answers the request that was handed out last.
    mutating func answer(_ status: Int) throws {
        let (key, came) = try #require(handled.last)
        let response = SIPResponse(status, to: came.request, tag: "t")
        note(table.answer(key, with: response, at: now))
    }

    mutating func send(_ request: SIPRequest, to peer: SIPPeer = .sample()) throws {
        note(try table.send(request, to: peer, at: now).1)
    }

    var handled: [(TransactionKey, ReceivedRequest)] {
        actions.compactMap {
            if case .handle(let key, let came, _) = $0 { (key, came) } else { nil }
        }
    }

    /// When something was sent, in milliseconds after the start.
    var times: [Int] { sent.map(\.milliseconds) }

    /// The first words of what was sent.
    var words: [String] {
        sent.map {
            let words = String(decoding: $0.bytes.prefix(60), as: UTF8.self).split(separator: " ")
            return String(words[0] == "SIP/2.0" ? words[1] : words[0])
        }
    }

    /// What was done beside sending, in words.
    var others: [String] {
        actions.compactMap {
            switch $0 {
            case .send: nil
            case .handle: "handle"
            case .cancelled: "cancelled"
            case .abandoned: "abandoned"
            case .acknowledged: "acknowledged"
            case .unacknowledged: "unacknowledged"
            case .answered(_, let response): "answered \(response.status)"
            case .timedOut: "timed out"
            }
        }
    }

    private mutating func note(_ more: [TransactionAction]) {
        actions += more
        for case .send(let bytes, _) in more {
            let elapsed = start.duration(to: now) / .milliseconds(1)
            sent.append((Int(elapsed.rounded()), bytes))
        }
    }
}

@Suite struct `A request that came` {
    @Test func `three times by UDP is handled once and answered three times`() throws {
        var line = Timeline()
        try line.receive(.sample())
        try line.receive(.sample())
        try line.answer(200)
        line.advance(to: 500)
        try line.receive(.sample())
        try line.receive(.sample())
        #expect(line.others == ["handle"])
        #expect(line.words == ["200", "200", "200"])
        #expect(line.table.counts.copies == 3)
    }

    @Test func `timer J: is forgotten after 32 s by UDP`() throws {
        var line = Timeline()
        try line.receive(.sample())
        try line.answer(200)
        line.advance(to: 31_999)
        #expect(line.table.count == 1)
        line.advance(to: 32_000)
        #expect(line.table.count == 0)
    }

    @Test(arguments: [SIPTransport.tcp, .tls])
    func `timer J: is forgotten at its answer on a stream`(transport: SIPTransport) throws {
        var line = Timeline()
        try line.receive(.sample(transport: transport), from: .sample(transport))
        #expect(line.table.count == 1)
        try line.answer(200)
        #expect(line.table.count == 0)
        #expect(line.words == ["200"])
    }

    @Test func `without an answer in 32 s is abandoned`() throws {
        var line = Timeline()
        try line.receive(.sample())
        line.advance(to: 32_000)
        #expect(line.others == ["handle", "abandoned"])
        try line.answer(200)
        #expect(line.words == [])
    }

    @Test func `another method, sender or branch is another request`() throws {
        var line = Timeline()
        try line.receive(.sample())
        try line.receive(.sample(.options))
        try line.receive(.sample(branch: "z9hG4bK2"))
        var other = SIPRequest.sample()
        other.fields.set(HeaderField("Via", "SIP/2.0/UDP 192.0.2.2:5062;branch=z9hG4bK1;rport"))
        try line.receive(other)
        #expect(line.others == ["handle", "handle", "handle", "handle"])
    }

    @Test func `of RFC 2543, without branch, is known again`() throws {
        var line = Timeline()
        var old = SIPRequest.sample()
        old.fields.set(HeaderField("Via", "SIP/2.0/UDP 192.0.2.1"))
        try line.receive(old)
        try line.receive(old)
        old.fields.set(HeaderField("CSeq", "2 MESSAGE"))
        try line.receive(old)
        #expect(line.others == ["handle", "handle"])
    }

    @Test func `in a full table is refused with 503 and counted`() throws {
        var line = Timeline(capacity: 2)
        try line.receive(.sample(branch: "z9hG4bK1"))
        try line.receive(.sample(branch: "z9hG4bK2"))
        try line.receive(.sample(branch: "z9hG4bK3"))
        #expect(line.others == ["handle", "handle"])
        #expect(line.words == ["503"])
        #expect(line.table.counts.refused == 1)
        #expect(throws: TransactionTable.Refusal.full(capacity: 2)) {
            try line.send(.sample(branch: "z9hG4bK4"))
        }
    }

    @Test func `in a nearly full table is kept for 8 s`() throws {
        var line = Timeline(capacity: 4)
        for number in 1...4 { try line.receive(.sample(branch: "z9hG4bK\(number)")) }
        try line.answer(200)
        line.advance(to: 8000)
        #expect(line.table.count == 3)
    }

    @Test func `after a day of them the table is empty`() throws {
        var line = Timeline(capacity: 1000)
        var most = 0
        for number in 0..<8640 {
            line.advance(to: number * 10_000)
            let isStream = number.isMultiple(of: 2)
            let transport = isStream ? SIPTransport.tcp : .udp
            let request = SIPRequest.sample(transport: transport, branch: "z9hG4bK\(number)")
            let came = try ReceivedRequest(request, from: .sample(transport))
            for case .handle(let key, _, _) in line.table.receive(came, tag: "t", at: line.now) {
                let response = SIPResponse(200, to: request, tag: "t")
                _ = line.table.answer(key, with: response, at: line.now)
            }
            most = max(most, line.table.count)
        }
        #expect(most <= 4)
        line.advance(to: 8640 * 10_000 + 32_000)
        #expect(line.table.count == 0)
        #expect(line.table.nextDeadline == nil)
    }
}

@Suite struct `An INVITE that came` {
    @Test func `gets 100 after 200 ms, and its copies too`() throws {
        var line = Timeline()
        try line.receive(.sample(.invite))
        line.advance(to: 200)
        try line.receive(.sample(.invite))
        #expect(line.words == ["100", "100"])
        #expect(line.times == [200, 200])
    }

    @Test func `timers G and H: a refusal behind a 100 is repeated until 32 s`() throws {
        var line = Timeline()
        try line.receive(.sample(.invite))
        line.advance(to: 200)
        try line.answer(488)
        line.advance(to: 40_000)
        let times = [0, 500, 1500, 3500, 7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]
        #expect(line.times == [200] + times.map { $0 + 200 })
        #expect(line.table.count == 0)
        #expect(line.others == ["handle"])
    }

    @Test func `refused at once gets one answer for each copy, for its address may be forged`()
        throws
    {
        var line = Timeline()
        try line.receive(.sample(.invite))
        try line.answer(488)
        line.advance(to: 700)
        try line.receive(.sample(.invite))
        line.advance(to: 40_000)
        #expect(line.times == [0, 700])
        #expect(line.table.count == 0)
    }

    @Test func `timer I: an ACK ends the repeating, and is absorbed for 5 s`() throws {
        var line = Timeline()
        try line.receive(.sample(.invite))
        line.advance(to: 200)
        try line.answer(488)
        line.advance(to: 800)
        try line.receive(.sample(.ack))
        line.advance(to: 5799)
        #expect(line.table.count == 1)
        try line.receive(.sample(.ack))
        line.advance(to: 5800)
        #expect(line.table.count == 0)
        #expect(line.times == [200, 200, 700])
        #expect(line.others == ["handle"])
    }

    @Test func `by TCP, refused, is sent once and forgotten at the ACK`() throws {
        var line = Timeline()
        try line.receive(.sample(.invite, transport: .tcp), from: .sample(.tcp))
        try line.answer(488)
        line.advance(to: 10_000)
        #expect(line.times == [0])
        try line.receive(.sample(.ack, transport: .tcp), from: .sample(.tcp))
        #expect(line.table.count == 0)
    }

    @Test(arguments: SIPTransport.allCases)
    func `accepted: the 2xx is repeated until an ACK of its dialog`(transport: SIPTransport) throws
    {
        var line = Timeline()
        try line.receive(.sample(.invite, transport: transport), from: .sample(transport))
        try line.answer(200)
        line.advance(to: 1600)
        try line.receive(.sample(.invite, transport: transport), from: .sample(transport))
        let stranger = SIPRequest.sample(.ack, branch: "z9hG4bKother", toTag: "other")
        try line.receive(stranger, from: .sample(transport))
        #expect(line.others == ["handle"])
        try line.receive(
            .sample(.ack, transport: transport, branch: "z9hG4bKack", toTag: "t"),
            from: .sample(transport)
        )
        line.advance(to: 40_000)
        #expect(line.times == [0, 500, 1500])
        #expect(line.others == ["handle", "acknowledged"])
        #expect(line.table.count == 0)
    }

    @Test func `timer L: accepted and never acknowledged is told after 32 s`() throws {
        var line = Timeline()
        try line.receive(.sample(.invite))
        try line.answer(200)
        line.advance(to: 32_000)
        #expect(line.others == ["handle", "unacknowledged"])
        #expect(line.times.count == 11)
        #expect(line.table.count == 0)
    }

    @Test func `cancelled: 200 for the CANCEL, 487 for the INVITE`() throws {
        var line = Timeline()
        try line.receive(.sample(.invite))
        try line.receive(.sample(.cancel))
        #expect(line.words == ["200", "487"])
        #expect(line.others == ["handle", "cancelled"])
        try line.answer(200)
        try line.receive(.sample(.cancel))
        #expect(line.words == ["200", "487", "200"])
        let tags = try line.sent.map { try SIPMessage.response(in: $0.bytes).envelope().to.tag }
        #expect(tags == ["t", "t", "t"])
    }

    @Test func `cancelled after its answer: 200 for the CANCEL alone`() throws {
        var line = Timeline()
        try line.receive(.sample(.invite))
        try line.answer(488)
        try line.receive(.sample(.cancel))
        #expect(line.words == ["488", "200"])
        #expect(line.others == ["handle"])
    }

    @Test func `a CANCEL of none, or of another branch, gets 481`() throws {
        var line = Timeline()
        try line.receive(.sample(.invite))
        try line.receive(.sample(.cancel, branch: "z9hG4bK2"))
        #expect(line.words == ["481"])
    }

    @Test func `an ACK of none is dropped`() throws {
        var line = Timeline()
        try line.receive(.sample(.ack))
        #expect(line.actions == [])
        #expect(line.table.count == 0)
    }
}

@Suite struct `A request of ours` {
    private static func answer(_ status: Int, to method: SIPMethod = .message) -> SIPResponse {
        SIPResponse(status, to: .sample(method), tag: "far")
    }

    @Test func `timers E and F: is repeated by UDP, and given up after 32 s`() throws {
        var line = Timeline()
        try line.send(.sample())
        line.advance(to: 4000)
        #expect(line.times == [0, 500, 1500, 3500], "four copies in the 4 s that a page waits")
        line.advance(to: 40_000)
        #expect(line.times.dropFirst(4) == [7500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500])
        #expect(line.others == ["timed out"])
        #expect(line.table.count == 0)
    }

    @Test func `by TCP is sent once`() throws {
        var line = Timeline()
        try line.send(.sample(transport: .tcp), to: .sample(.tcp))
        line.advance(to: 40_000)
        #expect(line.times == [0])
        #expect(line.others == ["timed out"])
    }

    @Test func `timer K: a final answer is told once, and its copies are absorbed for 5 s`() throws
    {
        var line = Timeline()
        try line.send(.sample())
        line.receive(Self.answer(200))
        line.receive(Self.answer(200))
        line.advance(to: 4999)
        #expect(line.table.count == 1)
        line.advance(to: 5000)
        #expect(line.table.count == 0)
        #expect(line.others == ["answered 200"])
        #expect(line.times == [0])
        line.receive(Self.answer(200))
        #expect(line.table.counts.strayResponses == 1)
    }

    @Test func `answered provisionally is repeated every 4 s`() throws {
        var line = Timeline()
        try line.send(.sample())
        line.receive(Self.answer(100))
        line.advance(to: 9000)
        #expect(line.times == [0, 4000, 8000])
    }

    @Test func `timers A and B: an INVITE is repeated at ever longer pauses`() throws {
        var line = Timeline()
        try line.send(.sample(.invite))
        line.advance(to: 40_000)
        #expect(line.times == [0, 500, 1500, 3500, 7500, 15_500, 31_500])
        #expect(line.others == ["timed out"])
    }

    @Test func `an INVITE that rings is not repeated, and given up after 3 min`() throws {
        var line = Timeline()
        try line.send(.sample(.invite))
        line.receive(Self.answer(180, to: .invite))
        line.advance(to: 180_000)
        #expect(line.times == [0])
        #expect(line.others == ["answered 180", "timed out"])
    }

    @Test func `timer D: an INVITE that is refused is acknowledged, again at each copy`() throws {
        var line = Timeline()
        try line.send(.sample(.invite, fields: [HeaderField("Route", "<sip:p;lr>")]))
        line.receive(Self.answer(486, to: .invite))
        line.receive(Self.answer(486, to: .invite))
        line.advance(to: 31_999)
        #expect(line.table.count == 1)
        line.advance(to: 32_000)
        #expect(line.table.count == 0)
        #expect(line.words == ["INVITE", "ACK", "ACK"])
        #expect(line.others == ["answered 486"])
        let acknowledgement = try SIPMessage.request(in: line.sent[1].bytes)
        let envelope = try acknowledgement.envelope()
        #expect(envelope.via.branch == "z9hG4bK1")
        #expect(envelope.to.tag == "far")
        #expect(envelope.cseq == CSeq(1, .ack))
        #expect(acknowledgement.fields["Route"] == "<sip:p;lr>")
    }

    @Test func `timer M: each 2xx of an INVITE is told for 32 s`() throws {
        var line = Timeline()
        try line.send(.sample(.invite))
        line.receive(Self.answer(200, to: .invite))
        line.advance(to: 500)
        line.receive(Self.answer(200, to: .invite))
        line.advance(to: 32_000)
        #expect(line.others == ["answered 200", "answered 200"])
        #expect(line.table.count == 0)
    }

    @Test func `an answer to another method is none to it`() throws {
        var line = Timeline()
        try line.send(.sample())
        line.receive(Self.answer(200, to: .options))
        #expect(line.others == [])
        #expect(line.table.counts.strayResponses == 1)
    }

    @Test func `a branch is used once`() throws {
        var line = Timeline()
        try line.send(.sample())
        #expect(throws: TransactionTable.Refusal.branchUnusable) { try line.send(.sample()) }
    }
}
