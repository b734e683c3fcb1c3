// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A message of RFC 4475, and what a server makes of it.
struct Torture: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable, Equatable {
        /// It is read, and answered on its merits.
        case request(String)
        case response(Int)
        /// It is malformed, and answered with this status.
        case refused(Int)
        /// It is malformed, and not answered.
        case discarded
    }

    let name: String
    let outcome: Outcome
    let bytes: [UInt8]

    var testDescription: String { name }

    /// The text has LF for CR LF, and `\u{FFFD}` for the bytes of `binary`.
    init(_ name: String, _ outcome: Outcome, binary: [UInt8] = [], _ text: String) {
        self.name = name
        self.outcome = outcome
        var bytes = text.wire
        let mark = Array("\u{FFFD}".utf8)
        if let place = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) {
            bytes.replaceSubrange(place..<(place + mark.count), with: binary)
        }
        self.bytes = bytes
    }

    /// The session that most of the messages describe, with the address of its origin and that of its media.
    static func session(_ origin: String, at media: String? = nil) -> String {
        """
        v=0
        o=mhandley 29739 7272939 IN IP4 \(origin)
        s=-
        c=IN IP4 \(media ?? origin)
        t=0 0
        m=audio 49217 RTP/AVP 0 12
        m=video 3227 RTP/AVP 31
        a=rtpmap:31 LPC

        """
    }

    private static func base64(_ text: String) -> [UInt8] {
        Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
    }

    static let all = valid + invalid + others

    /// Of §3.1.1.
    static let valid: [Torture] = [
        Torture(
            "wsinv",
            .request("INVITE"),
            """
            INVITE sip:vivekg@chair-dnrc.example.com;unknownparam SIP/2.0
            TO :
             sip:vivekg@chair-dnrc.example.com ;   tag    = 1918181833n
            from   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>
              ;
              tag = 98asjd8
            MaX-fOrWaRdS: 0068
            Call-ID: wsinv.ndaksdj@192.0.2.1
            Content-Length   : 150
            cseq: 0009
              INVITE
            Via  : SIP  /   2.0
             /UDP
                192.0.2.2;branch=390skdjuw
            s :
            NewFangledHeader:   newfangled value
             continued newfangled value
            UnknownHeaderWithUnusualValue: ;;,,;;,;
            Content-Type: application/sdp
            Route:
             <sip:services.example.com;lr;unknownwith=value;unknown-no-value>
            v:  SIP  / 2.0  / TCP     spindle.example.com   ;
              branch  =   z9hG4bK9ikj8  ,
             SIP  /    2.0   / UDP  192.168.255.111   ; branch=
             z9hG4bK30239
            m:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =
                  newvalue ;
              secondparam ; q = 0.33

            \(session("192.0.2.3", at: "192.0.2.4"))
            """
        ),
        Torture(
            "intmeth",
            .request("!interesting-Method0123456789_*+`.%indeed'~"),
            """
            !interesting-Method0123456789_*+`.%indeed'~ sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com SIP/2.0
            Via: SIP/2.0/TCP host1.example.com;branch=z9hG4bK-.!%66*_+`'~
            To: "BEL:\\\u{7} NUL:\\\u{0} DEL:\\\u{7F}" <sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*@example.com>
            From: token1~` token2'+_ token3*%!.- <sip:mundane@example.com>;fromParam''~+*_!.-%="работающий";tag=_token~1'+`*%!-.
            Call-ID: intmeth.word%ZK-!.*_+'@word`~)(><:\\/"][?}{
            CSeq: 139122385 !interesting-Method0123456789_*+`.%indeed'~
            Max-Forwards: 255
            extensionHeader-!.%*+_`'~:\u{FEFF}大停電
            Content-Length: 0


            """
        ),
        Torture(
            "esc01",
            .request("INVITE"),
            """
            INVITE sip:sips%3Auser%40example.com@example.net SIP/2.0
            To: sip:%75se%72@example.com
            From: <sip:I%20have%20spaces@example.net>;tag=938
            Max-Forwards: 87
            i: esc01.239409asdfakjkn23onasd0-3234
            CSeq: 234234 INVITE
            Via: SIP/2.0/UDP host5.example.net;branch=z9hG4bKkdjuw
            C: application/sdp
            Contact:
              <sip:cal%6Cer@host5.example.net;%6C%72;n%61me=v%61lue%25%34%31>
            Content-Length: 150

            \(session("192.0.2.1"))
            """
        ),
        Torture(
            "escnull",
            .request("REGISTER"),
            """
            REGISTER sip:example.com SIP/2.0
            To: sip:null-%00-null@example.com
            From: sip:null-%00-null@example.com;tag=839923423
            Max-Forwards: 70
            Call-ID: escnull.39203ndfvkjdasfkq3w4otrq0adsfdfnavd
            CSeq: 14398234 REGISTER
            Via: SIP/2.0/UDP host5.example.com;branch=z9hG4bKkdjuw
            Contact: <sip:%00@host5.example.com>
            Contact: <sip:%00%00@host5.example.com>
            L:0


            """
        ),
        Torture(
            "esc02",
            .request("RE%47IST%45R"),
            """
            RE%47IST%45R sip:registrar.example.com SIP/2.0
            To: "%Z%45" <sip:resource@example.com>
            From: "%Z%45" <sip:resource@example.com>;tag=f232jadfj23
            Call-ID: esc02.asdfnqwo34rq23i34jrjasdcnl23nrlknsdf
            Via: SIP/2.0/TCP host.example.com;branch=z9hG4bK209%fzsnel234
            CSeq: 29344 RE%47IST%45R
            Max-Forwards: 70
            Contact: <sip:alias1@host1.example.com>
            C%6Fntact: <sip:alias2@host2.example.com>
            Contact: <sip:alias3@host3.example.com>
            l: 0


            """
        ),
        Torture(
            "lwsdisp",
            .request("OPTIONS"),
            """
            OPTIONS sip:user@example.com SIP/2.0
            To: sip:user@example.com
            From: caller<sip:caller@example.com>;tag=323
            Max-Forwards: 70
            Call-ID: lwsdisp.1234abcd@funky.example.com
            CSeq: 60 OPTIONS
            Via: SIP/2.0/UDP funky.example.com;branch=z9hG4bKkdjuw
            l: 0


            """
        ),
        Torture(
            "longreq",
            .request("INVITE"),
            """
            INVITE sip:user@example.com SIP/2.0
            To: "I have a user name of \(String(repeating: "extreme", count: 10)) proportion"<sip:user@example.com:6000;unknownparam1=very\(String(repeating: "long", count: 20))value;longparam\(String(repeating: "name", count: 25))=shortvalue;very\(String(repeating: "long", count: 25))ParameterNameWithNoValue>
            F: sip:\(String(repeating: "amazinglylongcallername", count: 5))@example.net;tag=1\(String(repeating: "298", count: 50))2424;unknownheaderparam\(String(repeating: "name", count: 20))=unknowheaderparam\(String(repeating: "value", count: 15));unknownValueless\(String(repeating: "paramname", count: 10))
            Call-ID: longreq.one\(String(repeating: "really", count: 20))longcallid
            CSeq: 3882340 INVITE
            Unknown-LongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLongLong-Name: unknown-\(String(repeating: "long", count: 20))-value; unknown-\(String(repeating: "long", count: 20))-parameter-name = unknown-\(String(repeating: "long", count: 20))-parameter-value
            Via: SIP/2.0/TCP sip33.example.com
            v: SIP/2.0/TCP sip32.example.com
            V: SIP/2.0/TCP sip31.example.com
            Via: SIP/2.0/TCP sip30.example.com
            ViA: SIP/2.0/TCP sip29.example.com
            VIa: SIP/2.0/TCP sip28.example.com
            VIA: SIP/2.0/TCP sip27.example.com
            via: SIP/2.0/TCP sip26.example.com
            viA: SIP/2.0/TCP sip25.example.com
            vIa: SIP/2.0/TCP sip24.example.com
            vIA: SIP/2.0/TCP sip23.example.com
            V :  SIP/2.0/TCP sip22.example.com
            v :  SIP/2.0/TCP sip21.example.com
            V  : SIP/2.0/TCP sip20.example.com
            v  : SIP/2.0/TCP sip19.example.com
            Via : SIP/2.0/TCP sip18.example.com
            Via  : SIP/2.0/TCP sip17.example.com
            Via: SIP/2.0/TCP sip16.example.com
            Via: SIP/2.0/TCP sip15.example.com
            Via: SIP/2.0/TCP sip14.example.com
            Via: SIP/2.0/TCP sip13.example.com
            Via: SIP/2.0/TCP sip12.example.com
            Via: SIP/2.0/TCP sip11.example.com
            Via: SIP/2.0/TCP sip10.example.com
            Via: SIP/2.0/TCP sip9.example.com
            Via: SIP/2.0/TCP sip8.example.com
            Via: SIP/2.0/TCP sip7.example.com
            Via: SIP/2.0/TCP sip6.example.com
            Via: SIP/2.0/TCP sip5.example.com
            Via: SIP/2.0/TCP sip4.example.com
            Via: SIP/2.0/TCP sip3.example.com
            Via: SIP/2.0/TCP sip2.example.com
            Via: SIP/2.0/TCP sip1.example.com
            Via: SIP/2.0/TCP host.example.com;received=192.0.2.5;branch=very\(String(repeating: "long", count: 50))branchvalue
            Max-Forwards: 70
            Contact: <sip:\(String(repeating: "amazinglylongcallername", count: 5))@host5.example.net>
            Content-Type: application/sdp
            l: 150

            \(session("192.0.2.1"))
            """
        ),
        Torture(
            "dblreq",
            .request("REGISTER"),
            """
            REGISTER sip:example.com SIP/2.0
            To: sip:j.user@example.com
            From: sip:j.user@example.com;tag=43251j3j324
            Max-Forwards: 8
            I: dblreq.0ha0isndaksdj99sdfafnl3lk233412
            Contact: sip:j.user@host.example.com
            CSeq: 8 REGISTER
            Via: SIP/2.0/UDP 192.0.2.125;branch=z9hG4bKkdjuw23492
            Content-Length: 0


            INVITE sip:joe@example.com SIP/2.0
            t: sip:joe@example.com
            From: sip:caller@example.net;tag=141334
            Max-Forwards: 8
            Call-ID: dblreq.0ha0isnda977644900765@192.0.2.15
            CSeq: 8 INVITE
            Via: SIP/2.0/UDP 192.0.2.15;branch=z9hG4bKkdjuw380234
            Content-Type: application/sdp
            Content-Length: 150

            v=0
            o=mhandley 29739 7272939 IN IP4 192.0.2.15
            s=-
            c=IN IP4 192.0.2.15
            t=0 0
            m=audio 49217 RTP/AVP 0 12
            m =video 3227 RTP/AVP 31
            a=rtpmap:31 LPC


            """
        ),
        Torture(
            "semiuri",
            .request("OPTIONS"),
            """
            OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0
            To: sip:j_user@example.com
            From: sip:caller@example.org;tag=33242
            Max-Forwards: 3
            Call-ID: semiuri.0ha0isndaksdj
            CSeq: 8 OPTIONS
            Accept: application/sdp, application/pkcs7-mime,
                    multipart/mixed, multipart/signed,
                    message/sip, message/sipfrag
            Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKkdjuw
            l: 0


            """
        ),
        Torture(
            "transports",
            .request("OPTIONS"),
            """
            OPTIONS sip:user@example.com SIP/2.0
            To: sip:user@example.com
            From: <sip:caller@example.com>;tag=323
            Max-Forwards: 70
            Call-ID:  transports.kijh4akdnaqjkwendsasfdj
            Accept: application/sdp
            CSeq: 60 OPTIONS
            Via: SIP/2.0/UDP t1.example.com;branch=z9hG4bKkdjuw
            Via: SIP/2.0/SCTP t2.example.com;branch=z9hG4bKklasjdhf
            Via: SIP/2.0/TLS t3.example.com;branch=z9hG4bK2980unddj
            Via: SIP/2.0/UNKNOWN t4.example.com;branch=z9hG4bKasd0f3en
            Via: SIP/2.0/TCP t5.example.com;branch=z9hG4bK0a9idfnee
            l: 0


            """
        ),
        Torture(
            "mpart01",
            .request("MESSAGE"),
            binary: base64(
                """
                MIIBUgYJKoZIhvcNAQcCoIIBQzCCAT8CAQExCTAHBgUrDgMCGjALBgkqhkiG9w0BBwExggEgMIIB
                HAIBATB8MHAxCzAJBgNVBAYTAlVTMRMwEQYDVQQIEwpDYWxpZm9ybmlhMREwDwYDVQQHEwhTYW4g
                Sm9zZTEOMAwGA1UEChMFc2lwaXQxKTAnBgNVBAsTIFNpcGl0IFRlc3QgQ2VydGlmaWNhdGUgQXV0
                aG9yaXR5AggBlQBxAjMBEzAHBgUrDgMCGjANBgkqhkiG9w0BAQEFAASBgI70ZvlI8FIt0uWXjp2V
                quny/hWgZllxYpLo2iqo2DUKaM7/rjy9K/8Wdd3VZI5ZPdZHKPJiIPfpQXSeMw2aFe2r25PRDEIQ
                LntyidKcwMmuLvvHwM/5Fy87An5PwCfhVG3ktqo6uz5mzMtd1sZLg4MUnLjm/xgtlE/le2W8mdAF
                """
            ),
            """
            MESSAGE sip:kumiko@example.org SIP/2.0
            Via: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bK-d87543-4dade06d0bdb11ee-1--d87543-;rport
            Max-Forwards: 70
            Route: <sip:127.0.0.1:5080>
            Identity: r5mwreLuyDRYBi/0TiPwEsY3rEVsk/G2WxhgTV1PF7hHuLIK0YWVKZhKv9Mj8UeXqkMVbnVq37CD+813gvYjcBUaZngQmXc9WNZSDNGCzA+fWl9MEUHWIZo1CeJebdY/XlgKeTa0Olvq0rt70Q5jiSfbqMJmQFteeivUhkMWYUA=
            Contact: <sip:fluffy@127.0.0.1:5070>
            To: <sip:kumiko@example.org>
            From: <sip:fluffy@example.com>;tag=2fb0dcc9
            Call-ID: 3d9485ad0c49859b@Zmx1ZmZ5LW1hYy0xNi5sb2NhbA..
            CSeq: 1 MESSAGE
            Content-Transfer-Encoding: binary
            Content-Type: multipart/mixed;boundary=7a9cbec02ceef655
            Date: Sat, 15 Oct 2005 04:44:56 GMT
            User-Agent: SIPimp.org/0.2.5 (curses)
            Content-Length: 553

            --7a9cbec02ceef655
            Content-Type: text/plain
            Content-Transfer-Encoding: binary

            Hello
            --7a9cbec02ceef655
            Content-Type: application/octet-stream
            Content-Transfer-Encoding: binary

            �
            --7a9cbec02ceef655--

            """
        ),
        Torture(
            "unreason",
            .response(200),
            """
            SIP/2.0 200 = 2**3 * 5**2 но сто девяносто девять - простое
            Via: SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1324923
            Call-ID: unreason.1234ksdfak3j2erwedfsASdf
            CSeq: 35 INVITE
            From: sip:user@example.com;tag=11141343
            To: sip:user@example.edu;tag=2229
            Content-Length: 154
            Content-Type: application/sdp
            Contact: <sip:user@host198.example.com>

            \(session("192.0.2.198"))
            """
        ),
        Torture(
            "noreason",
            .response(100),
            """
            SIP/2.0 100\u{20}
            Via: SIP/2.0/UDP 192.0.2.105;branch=z9hG4bK2398ndaoe
            Call-ID: noreason.asndj203insdf99223ndf
            CSeq: 35 INVITE
            From: <sip:user@example.com>;tag=39ansfi3
            To: <sip:user@example.edu>;tag=902jndnke3
            Content-Length: 0
            Contact: <sip:user@host105.example.com>


            """
        ),
    ]
}
