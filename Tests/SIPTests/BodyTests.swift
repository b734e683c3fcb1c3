// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SIP

@Suite struct `A body of several parts` {
    private static func parse(
        _ body: String,
        type: String = "multipart/mixed;boundary=b"
    ) throws(SIPFault) -> MultipartBody {
        try MultipartBody.parse(body.wire, fields: [HeaderField("Content-Type", type)])
    }

    private static func texts(_ body: MultipartBody) -> [String] {
        body.parts.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func `is taken apart, without preamble and epilogue`() throws {
        let body = try Self.parse(
            """
            preamble
            --b
            Content-Type: text/plain;
             charset="UTF-8"

            one
            --b

            two

            --b--
            epilogue
            """
        )
        #expect(Self.texts(body) == ["one", "two\r\n"])
        #expect(body.parts[0].type.parameter("charset") == "UTF-8")
        #expect(body.parts[1].type.name == "text/plain")
    }

    @Test func `within another is taken apart too`() throws {
        let body = try Self.parse(
            """
            --b
            Content-Type: multipart/related; boundary="b c"

            --b c
            Content-Type: application/sdp
            Content-ID: <one@x>

            v=0
            --b c--
            --b

            two
            --b--
            """
        )
        #expect(Self.texts(body) == ["v=0", "two"])
        #expect(body.part(named: "<cid:one@x>")?.type.name == "application/sdp")
        #expect(body.part(named: "CID:one%40x")?.type.name == "application/sdp")
        #expect(body.part(named: "<cid:two@x>") == nil)
    }

    @Test func `the boundary within a text parts nothing`() throws {
        let body = try Self.parse("--b\n\na --b c\n --b\n--bc\n--b d\n--b--\n")
        #expect(Self.texts(body) == ["a --b c\r\n --b\r\n--bc\r\n--b d"])
    }

    @Test func `blanks after the boundary belong to it`() throws {
        #expect(Self.texts(try Self.parse("--b \t\n\none\n--b-- \n")) == ["one"])
    }

    @Test func `without closing line: the last part goes to the end`() throws {
        #expect(Self.texts(try Self.parse("--b\n\none\n--b\n\ntwo")) == ["one", "two"])
    }

    @Test func `with lines that end in LF alone is taken apart`() throws {
        let bytes = Array("--b\nContent-ID: <a>\n\none\n--b--\n".utf8)
        let fields: HeaderFields = [HeaderField("Content-Type", "multipart/mixed;boundary=b")]
        let body = try MultipartBody.parse(bytes, fields: fields)
        #expect(Self.texts(body) == ["one"])
        #expect(body.parts[0].contentID == "a")
    }

    @Test func `an empty part is a part`() throws {
        #expect(Self.texts(try Self.parse("--b\n\n--b\n\n\n--b--")) == ["", ""])
    }

    @Test func `one that is not multipart is one part, an empty one none`() throws {
        #expect(Self.texts(try Self.parse("--b\n", type: "text/plain")) == ["--b\r\n"])
        #expect(try MultipartBody.parse([], fields: []).parts == [])
    }

    @Test(arguments: [
        ("--b\n\nx\n--b--", "multipart/mixed", SIPFault(.missing, at: "boundary")),
        ("--b\n\nx\n--b--", "multipart/mixed;boundary=\"\"", SIPFault(.missing, at: "boundary")),
        ("no line of it", "multipart/mixed;boundary=b", SIPFault(.missing, at: "boundary")),
        ("--b--", "multipart/mixed;boundary=b", SIPFault(.missing, at: "boundary")),
        (
            "x", "multipart/mixed;boundary=\(String(repeating: "b", count: 71))",
            SIPFault(.tooLong, at: "boundary")
        ),
        ("x", "text", SIPFault(.badText, at: "Content-Type")),
        ("--b\nno field\n\nx", "multipart/mixed;boundary=b", SIPFault(.badText, at: "header")),
        (
            String(repeating: "--b\n\nx\n", count: 17), "multipart/mixed;boundary=b",
            SIPFault(.tooMany, at: "multipart body")
        ),
    ])
    func `is refused`(body: String, type: String, fault: SIPFault) {
        #expect(throws: fault) { try Self.parse(body, type: type) }
    }

    @Test(arguments: [(4, true), (5, false)])
    func `has at most four levels`(levels: Int, isTaken: Bool) throws {
        var text = "x"
        for level in (1..<levels).reversed() {
            text = "--b\(level)\nContent-Type: multipart/mixed;boundary=b\(level + 1)\n\n" + text
            if level == levels - 1 {
                text = text.replacing("\n\nx", with: "\n\n--b\(levels)\n\nx")
            }
        }
        let type = "multipart/mixed;boundary=b1"
        guard isTaken else {
            #expect(throws: SIPFault(.tooMany, at: "multipart body")) {
                try Self.parse(text, type: type)
            }
            return
        }
        #expect(Self.texts(try Self.parse(text, type: type)) == ["x"])
    }
}

@Suite struct `A place in PIDF-LO` {
    private static let point = """
        <gml:Point srsName="urn:ogc:def:crs:EPSG::4326"><gml:pos>52.5163 13.3777</gml:pos></gml:Point>
        """

    private static func document(
        _ shape: String,
        before: String = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        gml: String = "http://www.opengis.net/gml"
    ) -> [UInt8] {
        Array(
            """
            \(before)<presence xmlns="urn:ietf:params:xml:ns:pidf"
             xmlns:dm="urn:ietf:params:xml:ns:pidf:data-model" xmlns:gml='\(gml)'
             xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10"
             xmlns:gs="http://www.opengis.net/pidflo/1.0" entity="pres:a@b"><!-- > -->
             <dm:device id="d"><gp:geopriv><gp:location-info>\(shape)</gp:location-info>
             <gp:usage-rules/><gp:method>GPS</gp:method></gp:geopriv>
             <dm:timestamp>2026-11-21T13:11:00Z</dm:timestamp></dm:device></presence>
            """.utf8
        )
    }

    private static func circle(
        _ position: String,
        _ radius: String,
        system: String = " srsName=\"urn:ogc:def:crs:EPSG::4326\""
    ) -> [UInt8] {
        document("<gs:Circle\(system)><gml:pos>\(position)</gml:pos>\(radius)</gs:Circle>")
    }

    private static let metres = "<gs:radius uom=\"urn:ogc:def:uom:EPSG::9001\">25</gs:radius>"

    @Test func `a point has latitude first`() throws {
        let place = try PIDFLocation.parse(Self.document(Self.point))
        #expect(place.latitude == 52.5163)
        #expect(place.longitude == 13.3777)
        #expect(place.accuracy == nil)
        #expect(place.method == "GPS")
        #expect(place.timestamp == "2026-11-21T13:11:00Z")
        #expect(place.remarks == [])
    }

    @Test func `a circle has its radius`() throws {
        let place = try PIDFLocation.parse(Self.circle("-33.5 -70.25", Self.metres))
        #expect(place.latitude == -33.5)
        #expect(place.longitude == -70.25)
        #expect(place.accuracy == 25)
        #expect(place.remarks == [])
    }

    /// A document, the accuracy in it, and what had to be guessed.
    private static let guesses: [([UInt8], Double?, Set<PIDFLocation.Remark>)] = [
        (circle("1 2", metres, system: ""), 25, [.systemAssumed]),
        (circle("1,2", metres), 25, [.commas]),
        (circle("1, 2", metres), 25, [.commas]),
        (circle("1 2", "<gs:radius>9</gs:radius>"), 9, [.unitAssumed]),
        (circle("1 2", "<gs:radius>-1</gs:radius>"), nil, [.radiusLeftOut]),
        (circle("1 2", "<gs:radius>inf</gs:radius>"), nil, [.radiusLeftOut]),
        (circle("1 2", "<gs:radius uom=\"feet\">9</gs:radius>"), nil, [.radiusLeftOut]),
        (circle("1 2", ""), nil, [.radiusLeftOut]),
    ]

    @Test(arguments: guesses)
    func `what had to be guessed is remarked`(
        document: [UInt8],
        accuracy: Double?,
        remarks: Set<PIDFLocation.Remark>
    ) throws {
        let place = try PIDFLocation.parse(document)
        #expect(place.accuracy == accuracy)
        #expect(place.remarks == remarks)
        #expect(place.latitude == 1)
    }

    @Test func `of two the first is taken`() throws {
        let second = Self.point.replacing("52.5163", with: "1")
        let place = try PIDFLocation.parse(Self.document(Self.point + second))
        #expect(place.latitude == 52.5163)
        #expect(place.remarks == [.several])
    }

    @Test func `an address beside it is passed over`() throws {
        let address = "<ca:civicAddress xmlns:ca='urn:x'><ca:A1>\u{E4}</ca:A1></ca:civicAddress>"
        #expect(try PIDFLocation.parse(Self.document(address + Self.point)).latitude == 52.5163)
        #expect(throws: SIPFault(.unsupported, at: "location-info")) {
            try PIDFLocation.parse(Self.document(address))
        }
        #expect(throws: SIPFault(.missing, at: "location-info")) {
            try PIDFLocation.parse(Self.document(""))
        }
    }

    @Test func `with height has its height`() throws {
        let shape = """
            <gml:Point srsName="urn:ogc:def:crs:EPSG::4979"><gml:pos>1 2 30.5</gml:pos></gml:Point>
            """
        #expect(try PIDFLocation.parse(Self.document(shape)).altitude == 30.5)
    }

    @Test(arguments: [
        ("152 13", SIPFault(.outOfRange, at: "pos")), ("52 200", SIPFault(.outOfRange, at: "pos")),
        ("-90.1 0", SIPFault(.outOfRange, at: "pos")), ("nan 13", SIPFault(.badNumber, at: "pos")),
        ("1", SIPFault(.badNumber, at: "pos")), ("1 2 3", SIPFault(.badNumber, at: "pos")),
        ("1 2 3 4", SIPFault(.badNumber, at: "pos")), ("", SIPFault(.badNumber, at: "pos")),
        ("0x 1", SIPFault(.badNumber, at: "pos")), ("1e999 1", SIPFault(.badNumber, at: "pos")),
    ])
    func `that cannot be is refused`(position: String, fault: SIPFault) {
        #expect(throws: fault) { try PIDFLocation.parse(Self.circle(position, Self.metres)) }
    }

    @Test func `of another system or namespace is refused`() {
        #expect(throws: SIPFault(.unsupported, at: "srsName")) {
            try PIDFLocation.parse(
                Self.circle(
                    "1 2",
                    Self.metres,
                    system: " srsName=\"urn:ogc:def:crs:OGC:1.3:CRS84\""
                )
            )
        }
        #expect(throws: SIPFault(.unsupported, at: "Point")) {
            try PIDFLocation.parse(Self.document(Self.point, gml: "urn:other"))
        }
        #expect(throws: Never.self) {
            try PIDFLocation.parse(
                Self.document(Self.point, gml: "http://www.opengis.net/gml/3.2")
            )
        }
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY b \"bbbbbbbbbb\"><!ENTITY c \"&b;&b;&b;&b;\">]>",
        "<!DOCTYPE a SYSTEM \"file:///etc/passwd\">", "<?xml-stylesheet href=\"x\"?>",
    ])
    func `with declarations of entities is refused unread`(before: String) {
        #expect(throws: SIPFault(.forbidden, at: "XML")) {
            try PIDFLocation.parse(Self.document(Self.point, before: before))
        }
    }

    @Test(arguments: [
        ("&b;", SIPFault(.forbidden, at: "XML")), ("&#0;", SIPFault(.forbidden, at: "XML")),
        ("&#xD800;", SIPFault(.forbidden, at: "XML")), ("&", SIPFault(.forbidden, at: "XML")),
        ("<a b='1' b='2'/>", SIPFault(.repeated, at: "XML")),
        ("<x:a/>", SIPFault(.badText, at: "XML")), ("<a></b>", SIPFault(.badText, at: "XML")),
        ("<a b=1/>", SIPFault(.badText, at: "XML")), ("<a><!-- ", SIPFault(.cutOff, at: "XML")),
        (String(repeating: "<a>", count: 40), SIPFault(.tooMany, at: "XML")),
        (
            (0..<4).map { level in
                "<a " + (0..<20).map { "xmlns:a\(level)\($0)='b' " }.joined() + ">"
            }.joined(),
            SIPFault(.tooMany, at: "XML")
        ),
        (String(repeating: "<a/>", count: 2100), SIPFault(.tooMany, at: "XML")),
        (String(repeating: " ", count: 65_536), SIPFault(.tooLong, at: "XML")),
    ])
    func `of XML that is none is refused`(text: String, fault: SIPFault) {
        #expect(throws: fault) { try PIDFLocation.parse(Self.document(text + Self.point)) }
    }

    @Test func `cut off anywhere is refused`() {
        let document = Self.document(Self.point)
        for end in 0..<document.count {
            #expect(throws: SIPFault.self) { try PIDFLocation.parse(Array(document[..<end])) }
        }
    }

    private static func request(_ geolocation: String?, parts: [String]) -> SIPRequest {
        let body = parts.map { "--b\nContent-Type: application/pidf+xml\n\($0)\n\n" }
        let text = body.map { $0 + String(decoding: document(point), as: UTF8.self) + "\n" }
        var fields: HeaderFields = [HeaderField("Content-Type", "multipart/mixed;boundary=b")]
        if let geolocation { fields.append(HeaderField("Geolocation", geolocation)) }
        return .sample(fields: fields, body: text.joined() + "--b--")
    }

    @Test func `is found by the name that the request gives`() throws {
        let named = "Content-ID: <loc@a>"
        let both = [named, "Content-ID: <other@a>"]
        #expect(try Self.request("<cid:loc@a>;x=y", parts: both).location()?.remarks == [])
        #expect(
            try Self.request("<https://x/y>, <cid:loc%40a>", parts: both).location()?.remarks == []
        )
        #expect(try Self.request(nil, parts: [named]).location()?.remarks == [.onlyPart])
        #expect(try Self.request("<cid:gone@a>", parts: [named]).location()?.remarks == [.onlyPart])
        #expect(throws: SIPFault(.tooMany, at: "location")) {
            try Self.request("<cid:gone@a>", parts: both).location()
        }
        #expect(try SIPRequest.sample(body: "hello").location() == nil)
        #expect(throws: SIPFault(.missing, at: "location")) {
            try SIPRequest.sample(fields: [HeaderField("Geolocation", "<https://x/y>")]).location()
        }
    }
}

@Suite struct `A session description` {
    @Test func `tells what is offered`() throws {
        let text = "v=0\ns=-\nm=audio 0 RTP/AVP 0\nm=text 11000/2 rtp/savp 98 99\na=x"
        let media = try SessionDescription.parse(Array(text.utf8)).media
        #expect(media.map(\.kind) == ["audio", "text"])
        #expect(media[1].port == 11_000)
        #expect(media[1].transport == "RTP/SAVP")
        #expect(media[1].formats == ["98", "99"])
    }

    @Test(arguments: ["", "s=-", "v=0\nm=audio", "v=0\nm=audio x RTP/AVP 0", "v=0\nm=a 65536 b c"])
    func `is refused`(text: String) {
        #expect(throws: SIPFault.self) { try SessionDescription.parse(text.wire) }
    }
}
