// SPDX-License-Identifier: Apache-2.0

/// Bytes that the parsers of SIP accept.
enum SIPSamples {
    /// A text with a place, an offer, and an answer.
    static let messages: [[UInt8]] = [
        wire(
            """
            MESSAGE urn:service:sos SIP/2.0
            Via: SIP/2.0/TCP [2001:db8::9]:5061;branch=z9hG4bK2;rport, SIP/2.0/UDP 192.0.2.1
            From: "Ann \\"A\\"" <sip:+4930123@192.0.2.1;user=phone>;tag=f1
            To: <urn:service:sos>
            Call-ID: 8~2@192.0.2.1
            CSeq: 1 MESSAGE
            Max-Forwards: 70
            Geolocation: <cid:l%40a>;inserted-by=192.0.2.1
            P-Asserted-Identity: <tel:+4930123>, "Ann" <sip:ann@example.com>

            """,
            type: true,
            body: located
        ),
        wire(
            """
            INVITE sips:sos@example.com;transport=tls SIP/2.0
            v: SIP/2.0/TLS host.example.com
              ;branch=z9hG4bK3
            f: sip:ann@example.com;tag=1
            t: sip:sos@example.com
            i: 9
            CSeq: 4294967295 INVITE
            m: <sips:ann@192.0.2.1:5061?Subject=a%20b>;expires=1
            Record-Route: <sips:p1;lr>,<sips:p2;lr>
            Date: Fri, 27 Nov 2026 20:00:00 GMT
            Content-Type: application/sdp

            """,
            body: offer
        ),
        wire(
            """
            SIP/2.0 486 Busy Here
            Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1;received=192.0.2.9;rport=5
            From: <sip:sos@example.com>;tag=1
            To: <sip:+4930123@192.0.2.1>;tag=2
            Call-ID: 7
            CSeq: 1 MESSAGE
            Retry-After: 5 (in a call)
            l: 0


            """
        ),
    ]

    /// The offer of a telephone with voice, video and text.
    static let offer = wire(
        """
        v=0
        o=ann 1 2 IN IP4 192.0.2.1
        s=Talk
        c=IN IP4 192.0.2.1
        t=0 0
        m=audio 7078 RTP/AVP 96 97 0
        a=rtpmap:96 opus/48000/2
        m=video 0/2 RTP/SAVP 98
        m=text 11078 RTP/AVP 100 98
        a=rtpmap:100 red/1000
        a=fmtp:100 98/98/98

        """
    )

    /// A type, and a body with a text and a place.
    static let located =
        wire(
            """
            multipart/mixed;boundary=b
            --b
            Content-Type: text/plain; charset=UTF-8

            Help \u{1F692}
            --b
            Content-Type: application/pidf+xml
            Content-ID: <l@a>


            """
        ) + places[0] + wire("\n--b--\n")

    /// A type, and a body within a body, in lines that end in LF.
    static let nested = Array(
        """
        multipart/related; boundary="a b"
        --a b
        Content-Type: multipart/alternative;boundary=c

        --c

        one
        --c
        Content-Type: text/html
        Content-Disposition: attachment;
         filename=two.html

        <p>two</p>
        --c--
        --a b
        Content-Type: image/jpeg

        \u{0}\u{1}
        --a b--

        """.utf8
    )

    /// A circle, and a point with prefixes of its own and an entity.
    static let places: [[UInt8]] = [
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <presence xmlns="urn:ietf:params:xml:ns:pidf" entity="pres:ann@example.com"><tuple id="t">
            <status><gp:geopriv xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10"><gp:location-info>
            <gs:Circle xmlns:gs="http://www.opengis.net/pidflo/1.0" srsName="urn:ogc:def:crs:EPSG::4326">
            <gml:pos xmlns:gml="http://www.opengis.net/gml">52.5163 13.3777</gml:pos>
            <gs:radius uom="urn:ogc:def:uom:EPSG::9001">30.5</gs:radius></gs:Circle>
            </gp:location-info><gp:usage-rules/><gp:method>GPS</gp:method></gp:geopriv></status>
            <timestamp>2026-11-27T20:00:00Z</timestamp></tuple></presence>
            """.utf8
        ),
        Array(
            """
            <!-- a point --><p:presence xmlns:p='urn:ietf:params:xml:ns:pidf'>
            <p:note>a &lt; b &#x1F692;<![CDATA[ ]] > ]]></p:note>
            <g:location-info xmlns:g='urn:ietf:params:xml:ns:pidf:geopriv10'>
            <l:Point xmlns:l='http://www.opengis.net/gml' srsName='EPSG:4979'>
            <l:pos>-33.85,151.21 1e2</l:pos></l:Point></g:location-info></p:presence>
            """.utf8
        ),
    ]

    /// A text's bytes with CR LF for LF.
    private static func wire(_ text: String) -> [UInt8] {
        text.utf8.flatMap { $0 == 10 ? [13, 10] : [$0] }
    }

    /// A message with its body's length; with `type` the body's first line is its `Content-Type`.
    private static func wire(_ head: String, type: Bool = false, body: [UInt8]) -> [UInt8] {
        let first = type ? body.prefix { $0 != 13 } : []
        let content = body.dropFirst(type ? first.count + 2 : 0)
        let line = type ? "Content-Type: \(String(decoding: first, as: UTF8.self))\n" : ""
        return wire("\(head)\(line)Content-Length: \(content.count)\n\n") + content
    }
}
