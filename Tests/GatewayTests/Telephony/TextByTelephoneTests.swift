// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import SIP
import TestSupport
import Testing

@testable import Gateway

/// Telephones on sockets of the loopback, before a gateway's door.
@Suite(.timeLimit(.minutes(2))) struct `Text by telephone` {
    @Test func `to the service address is a session, with a number that is not verified`()
        async throws
    {
        try await Line.run { line in
            let answer = try await line.phone.send(line.text("smoke on the stairs"), to: line.door)
            #expect(answer.status == 200)
            let operatorClient = try await line.gateway.user(.operator, login: "amina")
            let session = try line.session()
            _ = try await operatorClient.post("/v1/sessions/\(session)/claim")
            let shown = try await operatorClient.get(
                "/v1/sessions/\(session)",
                after: line.gateway.newest
            ).object
            let telephone = shown["telephone"] as? [String: Any]
            #expect(telephone?["number"] as? String == "+442079460000")
            #expect(telephone?["isVerified"] as? Bool == false)
            let listed = shown["session"] as? [String: Any]
            #expect(listed?["isTelephone"] as? Bool == true && listed?["phone"] == nil)
        }
    }

    @Test func `that comes again by another transaction is one message`() async throws {
        try await Line.run { line in
            for _ in 0..<2 {
                let answer = try await line.phone.send(line.text("fire"), to: line.door)
                #expect(answer.status == 200)
            }
            #expect(try line.gateway.events("chat.message_sent/1").count == 1)
            #expect(try line.gateway.events("sip.message_received/1").count == 1)
        }
    }

    @Test func `of a registered phone stands in its person's session, without its token`()
        async throws
    {
        try await Line.run { line in
            let operatorClient = try await line.gateway.user(.operator, login: "amina")
            let phone = try await line.gateway.caller("+447712345678", codeBy: operatorClient)
            let own = "sip:+447712345678@127.0.0.1"
            let request = line.text("help", to: "sip:\(phone.token)@127.0.0.1", from: own)
            #expect(try await line.phone.send(request, to: line.door).status == 200)
            let received = try #require(
                try line.gateway.events("sip.message_received/1").first
            )
            guard case .sip(.messageReceived(let fact)) = received.fact else { return }
            #expect(fact.isVerified && received.envelope.actor.text == "device/\(phone.id)")
            let raw = try await line.gateway.ledger.blobs.open(fact.raw, of: fact.person)
            let kept = String(decoding: raw ?? [], as: UTF8.self)
            #expect(kept.contains("help") && !kept.contains(phone.token))
        }
    }

    @Test
    func
        `with a token that is nobody's, ended, malformed or a member of staff's is answered alike`()
        async throws
    {
        try await Line.run { line in
            let operatorClient = try await line.gateway.user(.operator, login: "amina")
            for user in ["nobody", "dbk_aaaaaaaaaaaaaaaaaaaaaaaa", "%FF%FE", operatorClient.token] {
                let request = line.text("help", to: "sip:\(user)@127.0.0.1", callID: user)
                #expect(try await line.phone.send(request, to: line.door).status == 404)
            }
            #expect(try line.gateway.events("chat.message_sent/1").isEmpty)
        }
    }

    @Test func `with a token and the number of another is refused, and recorded`() async throws {
        try await Line.run { line in
            let operatorClient = try await line.gateway.user(.operator, login: "amina")
            let phone = try await line.gateway.caller("+447712345678", codeBy: operatorClient)
            let request = line.text("help", to: "sip:\(phone.token)@127.0.0.1")
            #expect(try await line.phone.send(request, to: line.door).status == 403)
            #expect(try line.gateway.events("access.refused/2").count == 1)
        }
    }

    @Test(arguments: [true, false])
    func `an asserted number counts from a named trunk alone`(isTrunk: Bool) async throws {
        try await Line.run { line in
            if isTrunk {
                let admin = try await line.gateway.user(.admin, login: "root")
                let named = try await admin.send(
                    .put,
                    "/v1/trunks/north",
                    ["name": "North", "host": "127.0.0.1", "isOn": true]
                )
                #expect(named.status == 200)
                try await line.trunks.refresh()
            }
            var request = line.text("fire")
            request.fields.append(HeaderField("P-Asserted-Identity", "<sip:+441632960001@north>"))
            #expect(try await line.phone.send(request, to: line.door).status == 200)
            let session = try line.gateway.ledger.handler.current(Session.self, try line.session())
            #expect(session.contact?.hasNumber == isTrunk)
            #expect(session.telephone?.isVerified == isTrunk)
            #expect(session.telephone?.trunk == (isTrunk ? "north" : nil))
        }
    }

    @Test func `brings a place and a picture`() async throws {
        try await Line.run { line in
            let picture = try Self.picture()
            let request = line.request(
                type: "multipart/mixed;boundary=b1",
                body: Self.parts([
                    ("text/plain;charset=UTF-8", Array("here".utf8)),
                    ("application/pidf+xml\r\nContent-ID: <loc@x>", Array(Self.place.utf8)),
                    ("image/png", picture),
                ]),
                fields: [HeaderField("Geolocation", "<cid:loc@x>")]
            )
            let answer = try await line.phone.send(request, to: line.tcpDoor)
            #expect(answer.status == 200 && answer.fields["Geolocation-Error"] == nil)
            let added = try #require(try line.gateway.events("chat.attachment_added/1").first)
            guard case .chat(.attachmentAdded(let fact)) = added.fact else { return }
            let kept = try await line.gateway.ledger.blobs.open(fact.blob, of: fact.person)
            #expect(kept == picture)
            let located = try #require(try line.gateway.events("location.reported/1").first)
            guard case .location(.reported(let place)) = located.fact else { return }
            let fix = try place.fix.opened(with: line.gateway.ledger.keys.unrecorded(.compared))
            #expect(fix.value?.latitude == 52.5163 && fix.value?.accuracyMetres == 25)
        }
    }

    @Test func `with a place that cannot be read loses nothing but the place`() async throws {
        try await Line.run { line in
            let request = line.request(
                type: "multipart/mixed;boundary=b1",
                body: Self.parts([
                    ("text/plain", Array("here".utf8)),
                    ("application/pidf+xml", Array("<presence".utf8)),
                ])
            )
            let answer = try await line.phone.send(request, to: line.door)
            #expect(answer.status == 200 && answer.fields["Geolocation-Error"] != nil)
            #expect(try line.gateway.events("chat.message_sent/1").count == 1)
            #expect(try line.gateway.events("location.unavailable/1").count == 1)
        }
    }

    @Test(arguments: [
        ("INVITE", 488), ("OPTIONS", 200), ("BYE", 481), ("SUBSCRIBE", 405), ("REGISTER", 404),
    ])
    func `is what alone is taken`(method: String, status: Int) async throws {
        try await Line.run { line in
            var request = line.text("")
            request.method = SIPMethod(method)
            request.fields.set(HeaderField("CSeq", "1 \(method)"))
            let answer = try await line.phone.send(request, to: line.door)
            let sessions = try line.gateway.events("session.created/1").count
            #expect(answer.status == status && sessions == 0)
        }
    }

    @Test func `of another type is refused with those that are taken`() async throws {
        try await Line.run { line in
            let request = line.request(type: "application/zip", body: [1, 2, 3])
            let answer = try await line.phone.send(request, to: line.door)
            #expect(answer.status == 415 && answer.fields["Accept"] == TelephonyContent.types)
        }
    }

    @Test(arguments: [SIPTransport.udp, .tcp])
    func `is answered where it came from, again when the first answer failed`(
        transport: SIPTransport
    ) async throws {
        try await Line.run(answering: [486, 200]) { line in
            let door = transport == .udp ? line.door : line.tcpDoor
            _ = try await line.phone.send(line.text("fire"), to: door)
            let session = try line.session()
            let operatorClient = try await line.gateway.user(.operator, login: "amina")
            _ = try await operatorClient.post("/v1/sessions/\(session)/claim")
            let path = "/v1/sessions/\(session)/messages"
            let message = try await operatorClient.post(path, ["text": "on our way"])
                .text("message")
            try await line.ends(1)
            let again = try await operatorClient.post("\(path)/\(message)/send-again")
            let attempt = try again.object["attempt"] as? Int
            #expect(attempt == 2)
            try await line.ends(2)
            #expect(line.heard.bodies == ["on our way", "on our way"])
            #expect(try line.gateway.events("chat.message_delivered/1").count == 1)
            let third = try await operatorClient.post("\(path)/\(message)/send-again")
            #expect(third.status == 409)
        }
    }

    @Test
    func `that was sent when the gateway ended counts as failed, and is not sent again by itself`()
        async throws
    {
        try await Line.run { line in
            _ = try await line.phone.send(line.text("fire"), to: line.door)
            let session = try line.session()
            let operatorClient = try await line.gateway.user(.operator, login: "amina")
            _ = try await operatorClient.post("/v1/sessions/\(session)/claim")
            line.replies.cancel()
            let sent = try await operatorClient.post(
                "/v1/sessions/\(session)/messages",
                ["text": "on our way"]
            )
            let message = try #require(MessageID(try sent.text("message")))
            let step = RecordReply.Step.sent(.udp, raw: SHA256Digest(of: [1]), bytes: 1)
            _ = try await line.gateway.ledger.handler.handle(
                RecordReply(message, in: session, attempt: 1, step),
                line.gateway.ledger.context(actor: .policy("telephony"), organisation: .main)
            )
            let next = Task {
                await TelephonyReplies(ledger: line.gateway.ledger, endpoint: line.server).run()
            }
            try await line.ends(1)
            next.cancel()
            #expect(line.heard.bodies.isEmpty)
        }
    }

    // MARK: - Bodies

    private static let place = """
        <presence xmlns="urn:ietf:params:xml:ns:pidf" xmlns:dm="urn:ietf:params:xml:ns:pidf:data-model" \
        xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10" xmlns:gml="http://www.opengis.net/gml" \
        xmlns:gs="http://www.opengis.net/pidflo/1.0" entity="pres:a@x"><dm:device id="d"><gp:geopriv>\
        <gp:location-info><gs:Circle srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>52.5163 13.3777</gml:pos>\
        <gs:radius uom="urn:ogc:def:uom:EPSG::9001">25</gs:radius></gs:Circle></gp:location-info>\
        <gp:usage-rules/></gp:geopriv></dm:device></presence>
        """

    private static func parts(_ parts: [(String, [UInt8])]) -> [UInt8] {
        parts.flatMap { type, bytes in
            Array("--b1\r\nContent-Type: \(type)\r\n\r\n".utf8) + bytes + Array("\r\n".utf8)
        } + Array("--b1--\r\n".utf8)
    }

    /// The head of a PNG file, which is what is looked at.
    private static func picture() throws -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
            + [0, 0, 0, 64, 0, 0, 0, 48, 8, 2, 0, 0, 0, 1, 2, 3, 4]
    }
}
