// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SIP

@Suite struct `Header fields` {
    @Test func `names are compared without case and in both forms`() {
        let fields: HeaderFields = [HeaderField("i", "1"), HeaderField("SUBJECT", "2")]
        #expect(fields["Call-ID"] == "1")
        #expect(fields["s"] == "2")
    }

    @Test func `commas part values, but not in quotes and brackets`() {
        let fields: HeaderFields = [
            HeaderField("m", "\"a, \\\" b\" <sip:c,d@e>, <sip:f@g>"), HeaderField("Contact", "*"),
        ]
        #expect(
            fields.values("Contact") == ["\"a, \\\" b\" <sip:c,d@e>", "<sip:f@g>", "*"]
        )
    }

    @Test func `a value cannot begin another field`() throws {
        let request = SIPRequest.sample(fields: [HeaderField("Subject", "a\r\nVia: b\r\n\r\nc")])
        let read = try SIPMessage.request(in: request.bytes)
        #expect(read.fields.lines("Via").count == 1)
        #expect(read.fields["Subject"] == "a  Via: b    c")
    }

    @Test func `the first value is replaced, the others stay`() {
        var fields: HeaderFields = [HeaderField("Via", "a, b"), HeaderField("v", "c")]
        fields.replaceFirstValue("Via", with: "x")
        #expect(fields.values("Via") == ["x", "b", "c"])
    }
}

@Suite struct `A URI` {
    @Test(arguments: [
        "sip:a@b", "sips:a:pw@b.c:5061;transport=tls;lr?x=y", "sip:[2001:db8::1]:5060", "tel:+4930",
        "urn:service:sos", "sip:%41;b@c", "sip:b;x=1;y",
    ])
    func `is written as it was read`(text: String) throws {
        #expect(try URI.parse(text).description == text)
    }

    @Test(arguments: [
        "", "sip:", "sip", ":a", "sip:@b", "sip:a@", "sip:a b@c", "sip:a@b@c", "sip:a@b:0",
        "sip:a@b:65536", "sip:a@b:", "sip:a@b:5x", "sip:%4@b", "sip:%GG@b", "sip:a@[::1",
        "sip:a@::1]", "sip:a@b;", "sip:a@b;=c", "1a:b", "sip:a@b\u{0}", "sip:\u{E4}@b",
    ])
    func `is refused`(text: String) {
        #expect(throws: SIPFault.self) { try URI.parse(text) }
    }

    @Test func `a user of ours is escaped`() {
        let uri = SIPURI(user: "\u{E4} b@c%", host: "d")
        #expect(uri.description == "sip:%C3%A4%20b%40c%25@d")
        #expect(uri.user == "\u{E4} b@c%")
    }
}

@Suite struct `An address with a name` {
    @Test func `quotes and backslashes are resolved and put back`() throws {
        let address = try NameAddress.parse("\"a \\\"b\\\" \\\\\" <sip:c@d>;tag=1", of: "From")
        #expect(address.name == "a \"b\" \\")
        #expect(address.tag == "1")
        #expect(try NameAddress.parse(address.description, of: "From") == address)
    }

    @Test(arguments: ["J\u{FC}rgen", "+49 (30) 12", "a@b: c"])
    func `a name that telephones forget to quote is read`(name: String) throws {
        #expect(try NameAddress.parse("\(name) <sip:c@d>", of: "From").name == name)
    }

    @Test(arguments: [
        "", "<sip:a@b", "sip:a@b>", "\"a <sip:b@c>", "a, b <sip:c@d>", "<sip:a@b>x", "<sip:a@b>;",
        "<sip:a@b>;x=", "< sip:a@b>", "sip:a@b?c=d", "<>", "a@b",
    ])
    func `is refused`(text: String) {
        #expect(throws: SIPFault.self) { try NameAddress.parse(text, of: "From") }
    }
}

@Suite struct `A Via` {
    @Test func `gets the address that the message came from`() throws {
        let via = try Via.parse("SIP/2.0/UDP [2001:db8::9:1]:5070;rport;branch=z9hG4bKx")
        let peer = SIPPeer(.udp, host: "2001:db8::7", port: 4000)
        let received = via.received(from: peer)
        #expect(
            received.description
                == "SIP/2.0/UDP [2001:db8::9:1]:5070;rport=4000;branch=z9hG4bKx;received=2001:db8::7"
        )
        #expect(try Via.parse(received.description) == received)
    }

    @Test func `without rport the answer goes to the port that it names`() throws {
        let peer = SIPPeer(.udp, host: "192.0.2.9", port: 4000)
        #expect(peer.answering(try Via.parse("SIP/2.0/UDP a:5070")).port == 5070)
        #expect(peer.answering(try Via.parse("SIP/2.0/UDP a")).port == 5060)
        #expect(peer.answering(try Via.parse("SIP/2.0/UDP a;rport")).port == 4000)
    }

    @Test(arguments: [
        "", "SIP/2.0/UDP", "SIP/2.0 UDP a", "SIP/3.0/UDP a", "SIP/2.0/UDP a;", "SIP/2.0/UDP a b",
        "SIP/2.0/UDP a:", "SIP/2.0/UDP :5060",
    ])
    func `is refused`(text: String) {
        #expect(throws: SIPFault.self) { try Via.parse(text) }
    }
}

@Suite struct `A message` {
    @Test func `is read and written with a body of any bytes`() throws {
        var request = SIPRequest.sample(fields: [HeaderField("Content-Type", "image/jpeg")])
        request.body = (0...255).map { UInt8($0) } + [13, 10, 13, 10]
        #expect(try SIPMessage.parse(request.bytes) == .request(request))
    }

    @Test(arguments: [
        (SIPFault(.missing, at: "Via"), "Via"), (SIPFault(.missing, at: "From"), "From"),
        (SIPFault(.missing, at: "To"), "To"), (SIPFault(.missing, at: "Call-ID"), "Call-ID"),
        (SIPFault(.missing, at: "CSeq"), "CSeq"),
    ])
    func `without a field that it needs is refused`(fault: SIPFault, name: String) {
        let request = SIPRequest.sample()
        let fields = HeaderFields(request.fields.all.filter { $0.name != name })
        let bytes = SIPRequest(.message, request.uri, fields: fields).bytes
        #expect(throws: fault) { try SIPMessage.parse(bytes) }
    }

    @Test func `lines that end in LF alone are refused`() {
        let bytes = SIPRequest.sample().bytes.filter { $0 != 13 }
        #expect(throws: SIPFault(.bareLineEnd, at: "header")) { try SIPMessage.parse(bytes) }
    }

    @Test func `that is no UTF-8 is refused`() {
        let bytes = SIPRequest.sample(fields: [HeaderField("Subject", "abc")]).bytes
            .map { $0 == UInt8(ascii: "b") ? 0xFF : $0 }
        #expect(throws: SIPFault(.notUTF8, at: "header")) { try SIPMessage.parse(bytes) }
    }

    @Test func `beyond a limit is refused`() {
        let long = HeaderField("Subject", String(repeating: "x", count: SIPLimits.lineBytesMax))
        #expect(throws: SIPFault(.tooLong, at: "header")) {
            try SIPMessage.parse(SIPRequest.sample(fields: [long]).bytes)
        }
        let folded =
            "Subject: a\n"
            + String(repeating: " \(String(repeating: "x", count: 900))\n", count: 10)
        let text = "MESSAGE sip:a@b SIP/2.0\n\(folded)\n"
        #expect(throws: SIPFault(.tooLong, at: "header")) { try SIPMessage.parse(text.wire) }
        let many = HeaderFields((0...SIPLimits.fieldsMax).map { HeaderField("X-\($0)", "") })
        #expect(throws: SIPFault(.tooMany, at: "header")) {
            try SIPMessage.parse(SIPRequest.sample(fields: many).bytes)
        }
    }

    @Test func `an answer has the way, the ends and the number of its request`() throws {
        let request = SIPRequest.sample(
            .invite,
            fields: [HeaderField("Record-Route", "<sip:p1;lr>"), HeaderField("v", "SIP/2.0/TCP p")]
        )
        let ringing = SIPResponse(180, to: request, tag: "t")
        #expect(ringing.fields.values("Via") == request.fields.values("Via"))
        #expect(ringing.fields["To"] == "<sip:sos@example.com>;tag=t")
        #expect(ringing.fields["Record-Route"] == "<sip:p1;lr>")
        #expect(SIPResponse(100, to: request, tag: "t").fields["To"] == "<sip:sos@example.com>")
        #expect(SIPResponse(404, to: request, tag: "t").fields["Record-Route"] == nil)
        let inDialog = SIPRequest.sample(.bye, toTag: "x")
        #expect(try SIPResponse(200, to: inDialog, tag: "t").envelope().to.tag == "x")
    }
}

@Suite struct `Messages on a stream` {
    static let stream: [UInt8] =
        SIPRequest.sample(transport: .tcp, body: "one").bytes + [13, 10, 13, 10]
        + SIPRequest.sample(.options, transport: .tcp).bytes + [13, 10]
        + SIPResponse(200, to: .sample(transport: .tcp), tag: "t").bytes

    @Test(arguments: [1, 2, 3, 7, 100, 10_000])
    func `come whole whatever the pieces are`(piece: Int) throws {
        var framer = SIPStreamFramer()
        var methods: [String] = []
        var place = 0
        while place < Self.stream.count {
            framer.append(Self.stream[place..<min(place + piece, Self.stream.count)])
            place += piece
            while let frame = try framer.next() {
                switch frame {
                case .message(.request(let request), _): methods.append(request.method.name)
                case .message(.response(let response), _): methods.append("\(response.status)")
                case .ping: methods.append("ping")
                case .malformed(_, let fault): throw fault
                }
            }
        }
        // Two empty lines in two pieces are no ping, and no harm.
        #expect(methods.filter { $0 != "ping" } == ["MESSAGE", "OPTIONS", "200"])
        #expect(methods.contains("ping") || piece < 4)
        #expect(!framer.isInMessage)
    }

    @Test func `malformed ones do not hide those after them`() throws {
        var framer = SIPStreamFramer()
        let noFrom = "OPTIONS sip:a@b SIP/2.0\nVia: SIP/2.0/TCP a\nl: 3\n\nabc"
        let noURI = "OPTIONS <sip:a@b> SIP/2.0\nbad\nl: 3\n\nabc"
        framer.append((noFrom + noURI).wire + SIPRequest.sample(transport: .tcp).bytes)
        #expect(try framer.next() == .malformed(noFrom.wire, SIPFault(.missing, at: "From")))
        #expect(
            try framer.next() == .malformed(noURI.wire, SIPFault(.badURI, at: "Request-URI"))
        )
        guard case .message = try framer.next() else { throw SIPFault(.missing, at: "test") }
        #expect(!framer.isInMessage)
    }

    @Test func `with two lengths, or none that is a number, are refused`() {
        for lengths in ["l: 1\nl: 1", "l: -1", "l: 1 2"] {
            var framer = SIPStreamFramer()
            framer.append("OPTIONS sip:a@b SIP/2.0\nVia: SIP/2.0/TCP a\n\(lengths)\n\nx".wire)
            #expect(throws: SIPFault.self) { try framer.next() }
        }
    }

    @Test func `of two megabytes come whole`() throws {
        var request = SIPRequest.sample(transport: .tcp)
        request.body = [UInt8](repeating: 13, count: 2 << 20)
        var framer = SIPStreamFramer()
        for start in stride(from: 0, to: request.bytes.count, by: 65_536) {
            framer.append(request.bytes.dropFirst(start).prefix(65_536))
        }
        #expect(try framer.next() == .message(.request(request), request.bytes))
        #expect(try framer.next() == nil)
    }

    @Test func `need their length`() {
        let bytes = "OPTIONS sip:a@b SIP/2.0\nVia: SIP/2.0/TCP a\n\n".wire
        var framer = SIPStreamFramer()
        framer.append(bytes)
        #expect(throws: SIPFault(.missing, at: "Content-Length")) { try framer.next() }
        #expect(framer.begun == bytes)
    }

    @Test(arguments: ["8388609", "99999999999999999999"])
    func `with a body beyond the limit are refused at their head`(length: String) {
        var framer = SIPStreamFramer()
        framer.append("MESSAGE sip:a@b SIP/2.0\nl: \(length)\n\n".wire)
        #expect(throws: SIPFault(.tooLong, at: "body")) { try framer.next() }
    }

    @Test func `without end of the head are refused at its limit`() throws {
        var framer = SIPStreamFramer()
        framer.append([UInt8](repeating: 65, count: SIPLimits.headBytesMax))
        #expect(try framer.next() == nil)
        #expect(framer.isInMessage)
        framer.append([65])
        #expect(throws: SIPFault(.tooLong, at: "header")) { try framer.next() }
    }
}
