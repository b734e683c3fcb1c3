// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import SIP
import TestSupport
import Testing
import Threads

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `Who sends by telephone` {
    @Test(arguments: ["%64bk_", "dbk_", "d%62%6b%5F"])
    func `is told and kept without the token, however it is spelt`(start: String) async throws {
        try await Line.run { line in
            let staff = try await line.gateway.user(.operator, login: "amina")
            let phone = try await line.gateway.caller("+447712345678", codeBy: staff)
            let spelt = start + phone.token.dropFirst(4)
            let own = "sip:\(spelt)@127.0.0.1"
            var request = line.text("help", to: own, from: own)
            request.fields.append(HeaderField("Contact", "<\(own):5099>"))
            request.fields.append(HeaderField("Route", "<sip:127.0.0.1;user=\(spelt)>"))
            try await line.expect(200, to: request, at: line.door)
            let fact = try line.received()
            let sender = try line.opened(fact)
            #expect(sender.uri == "sip:+447712345678@127.0.0.1")
            #expect(sender.answersTo == "sip:+447712345678@127.0.0.1:5099")
            let raw = try await line.gateway.ledger.blobs.open(fact.raw, of: fact.person)
            let kept = String(decoding: raw ?? [], as: UTF8.self)
            #expect(kept.contains("help") && !kept.contains(phone.token.dropFirst(4)))
        }
    }

    @Test func `has a name that is short and acts on nothing beside it`() {
        #expect(SenderText.name("\u{202E}Ada\u{0007} Lovelace") == "Ada Lovelace")
        #expect(SenderText.name("\u{2066}\u{0001}") == nil)
        #expect(SenderText.name(String(repeating: "ü", count: 100)).map(\.utf8.count) == 128)
        #expect(SenderText.name("a" + String(repeating: "\u{0301}", count: 100)) == nil)
    }

    @Test func `from another address is another person, whatever From says`() async throws {
        try await Line.run { line in
            try await line.expect(200, to: line.text("fire"), at: line.door)
            let other = try await SIPEndpoint.start(
                SIPEndpoint.Configuration(
                    listeners: [.init(.udp, host: "127.0.0.2", port: 0)]
                )
            ) { $0.response(200) }
            let answer = try await other.send(line.text("no fire", callID: "c2"), to: line.door)
            await other.close()
            #expect(answer.status == 200)
            #expect(try line.gateway.events("session.created/1").count == 2)
            let more = try await line.phone.send(line.text("smoke", callID: "c3"), to: line.door)
            #expect(more.status == 200)
            #expect(try line.gateway.events("session.created/1").count == 2)
        }
    }

    @Test func `opens only so many sessions from one address, and goes on in those`() async throws {
        try await Line.run { line in
            let most = Int(TelephonyLimits.strangersOfAddress.burst)
            for number in 0...most {
                let text = line.text("fire", from: "sip:\(number)@x", callID: "c\(number)")
                let answer = try await line.phone.send(text, to: line.door)
                #expect(answer.status == (number < most ? 200 : 503))
                #expect((answer.fields["Retry-After"] != nil) == (number == most))
            }
            let again = line.text("smoke", from: "sip:0@x", callID: "again")
            try await line.expect(200, to: again, at: line.door)
            #expect(try line.gateway.events("session.created/1").count == most)
        }
    }

    @Test func `whose message is refused takes no place, no key and no file`() async throws {
        try await Line.run { line in
            let long = String(repeating: "a", count: CommandLimits.messageBytesMax + 1)
            let keys = line.gateway.ledger.keys.count
            for number in 0..<20 {
                let text = line.text(long, from: "sip:\(number)@x", callID: "c\(number)")
                try await line.expect(413, to: text, at: line.tcpDoor)
            }
            #expect(line.gateway.ledger.keys.count == keys)
            let whole = line.text("fire", from: "sip:20@x", callID: "whole")
            try await line.expect(200, to: whole, at: line.door)
        }
    }

    @Test func `says other words under the same Call-ID and number: both are kept`() async throws {
        try await Line.run { line in
            for words in ["fire", "fire", "no fire"] {
                try await line.expect(200, to: line.text(words), at: line.door)
            }
            #expect(try line.gateway.events("chat.message_sent/1").count == 2)
        }
    }

    @Test func `sends a long request: its first 64 KiB are kept`() async throws {
        try await Line.run { line in
            let filler = "--b1\r\nContent-Type: application/sdp\r\n\r\n"
            let body =
                "\(filler)\(String(repeating: "x", count: 100_000))\r\n--b1\r\n"
                + "Content-Type: text/plain\r\n\r\nfire\r\n--b1--\r\n"
            let request = line.request(
                type: "multipart/mixed;boundary=b1",
                body: Array(body.utf8)
            )
            try await line.expect(200, to: request, at: line.tcpDoor)
            let fact = try line.received()
            let raw = try await line.gateway.ledger.blobs.open(fact.raw, of: fact.person)
            #expect(raw?.count == TelephonyLimits.rawBytesMax)
            #expect(try line.gateway.events("chat.message_sent/1").count == 1)
        }
    }
}

extension Line {
    fileprivate func expect(_ status: Int, to request: SIPRequest, at door: SIPPeer) async throws {
        let answer = try await phone.send(request, to: door)
        #expect(answer.status == status)
    }

    /// The only request that was recorded.
    fileprivate func received() throws -> SIPMessageReceived {
        let event = try #require(try gateway.events("sip.message_received/1").first)
        guard case .sip(.messageReceived(let fact)) = event.fact else {
            throw SIPFault(.unsupported, at: "test")
        }
        return fact
    }

    fileprivate func opened(_ fact: SIPMessageReceived) throws -> SIPSender {
        let keys = gateway.ledger.keys.unrecorded(.compared)
        return try #require(try fact.sender.opened(with: keys).value)
    }
}
