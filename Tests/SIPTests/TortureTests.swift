// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SIP

@Suite struct `A torture message of RFC 4475` {
    @Test(arguments: Torture.all)
    func `is read, or refused with its status`(message: Torture) {
        #expect(Self.outcome(message.bytes) == message.outcome)
    }

    @Test func `there are 49`() {
        #expect(Torture.all.count == 49)
        #expect(Set(Torture.all.map(\.name)).count == 49)
    }

    private static func outcome(_ bytes: [UInt8]) -> Torture.Outcome {
        do {
            switch try SIPMessage.parse(bytes) {
            case .request(let request): return .request(request.method.name)
            case .response(let response): return .response(response.status)
            }
        } catch {
            return SIPRequest.salvage(bytes) == nil ? .discarded : .refused(error.status)
        }
    }

    private static func request(_ name: String) throws -> SIPRequest {
        let torture = try #require(Torture.all.first { $0.name == name })
        guard case .request(let request) = try SIPMessage.parse(torture.bytes) else {
            throw SIPFault(.unsupported, at: name)
        }
        return request
    }

    @Test func `wsinv: folding, compact names and blanks are read through`() throws {
        let request = try Self.request("wsinv")
        let envelope = try request.envelope()
        #expect(envelope.from.name == "J Rosenberg \\\"")
        #expect(envelope.from.tag == "98asjd8")
        #expect(envelope.to.tag == "1918181833n")
        #expect(envelope.cseq == CSeq(9, .invite))
        #expect(envelope.via.host == "192.0.2.2")
        #expect(envelope.via.branch == nil, "the branch is none of RFC 3261")
        #expect(request.fields.values("Via").count == 3)
        #expect(try Via.parse(request.fields.values("Via")[1]).branch == "z9hG4bK9ikj8")
        #expect(request.fields["Subject"] == "")
        let contact = try #require(request.fields["Contact"])
        #expect(try NameAddress.parse(contact, of: "Contact").name == "Quoted string \"\"")
        #expect(try SessionDescription.parse(request.body).media.map(\.kind) == ["audio", "video"])
    }

    @Test func `esc01 and semiuri: the user is what stands before the at sign`() throws {
        guard case .sip(let escaped) = try Self.request("esc01").uri,
            case .sip(let semicolon) = try Self.request("semiuri").uri
        else { throw SIPFault(.badURI, at: "test") }
        #expect(escaped.user == "sips:user@example.com")
        #expect(escaped.host == "example.net")
        #expect(semicolon.user == "user;par=u@example.net")
        #expect(semicolon.host == "example.com")
    }

    @Test func `mpart01: the bytes of a part stay as they are`() throws {
        let request = try Self.request("mpart01")
        let body = try MultipartBody.parse(request.body, fields: request.fields)
        #expect(body.parts.map(\.type.name) == ["text/plain", "application/octet-stream"])
        #expect(body.parts.last?.bytes.count == 342)
        #expect(body.parts.last?.bytes.prefix(4) == [0x30, 0x82, 0x01, 0x52])
    }

    @Test func `dblreq: what follows the first request is dropped`() throws {
        let request = try Self.request("dblreq")
        #expect(request.body == [])
        #expect(request.fields["Call-ID"] == "dblreq.0ha0isndaksdj99sdfafnl3lk233412")
    }

    @Test func `cparam01 and cparam02: brackets tell whose a parameter is`() throws {
        let bare = try #require(try Self.request("cparam01").fields["Contact"])
        let bracketed = try #require(try Self.request("cparam02").fields["Contact"])
        #expect(try NameAddress.parse(bare, of: "Contact").parameters.count == 1)
        #expect(try NameAddress.parse(bracketed, of: "Contact").parameters == [])
    }
}
