// SPDX-License-Identifier: Apache-2.0
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

    /// The text has LF for CR LF, `{n}` for its length, and `\u{FFFD}` for the bytes of `binary`.
    init(_ name: String, _ outcome: Outcome, binary: [UInt8] = [], _ text: String) {
        self.name = name
        self.outcome = outcome
        var bytes: [UInt8] = []
        let separated = text.utf8.map { $0 }
        for byte in separated {
            if byte == 0x0A { bytes.append(0x0D) }
            bytes.append(byte)
        }
        let mark = Array("\u{FFFD}".utf8)
        if let place = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) {
            bytes.replaceSubrange(place..<(place + mark.count), with: binary)
        }
        let end: [UInt8] = [13, 10, 13, 10]
        let head = bytes.indices.first { bytes[$0...].starts(with: end) } ?? bytes.count
        let length = Array(String(max(0, bytes.count - head - 4)).utf8)
        let hole = Array("{n}".utf8)
        if let place = bytes.indices.first(where: { bytes[$0...].starts(with: hole) }) {
            bytes.replaceSubrange(place..<(place + hole.count), with: length)
        }
        self.bytes = bytes
    }

    static let session = """
        v=0
        o=mhandley 29739 7272939 IN IP4 192.0.2.3
        s=-
        c=IN IP4 192.0.2.4
        t=0 0
        m=audio 49217 RTP/AVP 0 12
        m=video 3227 RTP/AVP 31
        a=rtpmap:31 LPC

        """

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
            Content-Length   : {n}
            cseq: 0009
              INVITE
            Via  : SIP  /   2.0
             /UDP
                192.0.2.2;branch=390skdjuw
            s :
            NewFancyHeader:   this is a newfangled header
             ;;,,;\t;
             (continued)
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

            \(session)
            """
        ),
        Torture(
            "intmeth",
            .request("!interesting-Method0123456789_*+`.%indeed'~"),
            """
            !interesting-Method0123456789_*+`.%indeed'~ sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com SIP/2.0
            Via: SIP/2.0/TCP host1.example.com;branch=z9hG4bK-.!%66*_+`'~
            To: "BEL:\\\u{7} NUL:\\\u{0} DEL:\\\u{7F}" <sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*@example.com>
            From: token1~` token2'+_ token3*%!.- <sip:mundane@example.com>;fromParam''~+*_!.-%="\u{43F}\u{430}\u{431}";tag=_token~1'+`*%!-.
            Call-ID: intmeth.word%ZK-!.*_+'@word`~)(><:\\/"][?}{
            CSeq: 139122385 !interesting-Method0123456789_*+`.%indeed'~
            Max-Forwards: 255
            extensionHeader-!.%*+_`'~:\u{FE}\u{441}\u{43B}
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
            Content-Length: {n}

            \(session)
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
            To: "I have a user name of \(String(repeating: "extreme", count: 10)) proportion" <sip:user@example.com:6000;unknownparam1=very\(String(repeating: "long", count: 20))value;longparam\(String(repeating: "name", count: 25))=shortvalue;very\(String(repeating: "long", count: 25))ParameterNameWithNoValue>
            F: sip:\(String(repeating: "amazinglylongcallername", count: 5))@example.net;tag=12\(String(repeating: "982", count: 50))424;unknownheaderparam\(String(repeating: "name", count: 20))=unknowheaderparam\(String(repeating: "value", count: 15));unknownValueless\(String(repeating: "paramname", count: 10))
            Call-ID: longreq.one\(String(repeating: "really", count: 20))longcallid
            CSeq: 3882340 INVITE
            Unknown-\(String(repeating: "Long", count: 20))-Name: unknown-\(String(repeating: "long", count: 20))-value; unknown-\(String(repeating: "long", count: 20))-parameter-name = unknown-\(String(repeating: "long", count: 20))-parameter-value
            Via: SIP/2.0/TCP sip33.example.com
            \((1...32).reversed().map { "v: SIP/2.0/TCP sip\($0).example.com" }.joined(separator: "\n"))
            V: SIP/2.0/TCP host.example.com;received=192.0.2.5;branch=very\(String(repeating: "long", count: 50))branchvalue
            Max-Forwards: 70
            Contact: <sip:\(String(repeating: "amazinglylongcallername", count: 5))@host5.example.net>
            Content-Type: application/sdp
            l: {n}

            \(session)
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
            binary: (0...255).map { UInt8($0) },
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
            Content-Length: {n}

            --7a9cbec02ceef655
            Content-Type: text/plain
            Content-Transfer-Encoding: binary

            Hello
            --7a9cbec02ceef655
            Content-Type: application/octet-stream
            Content-Transfer-Encoding: binary

            \u{FFFD}
            --7a9cbec02ceef655--

            """
        ),
        Torture(
            "unreason",
            .response(200),
            """
            SIP/2.0 200 = 2**3 * 5**2 \u{43D}\u{43E} \u{441}\u{442}\u{43E} \u{434}\u{435}\u{432}\u{44F}\u{43D}\u{43E}\u{441}\u{442}\u{43E} \u{434}\u{435}\u{432}\u{44F}\u{442}\u{44C} - \u{43F}\u{440}\u{43E}\u{441}\u{442}\u{43E}\u{435}
            Via: SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1324923
            Call-ID: unreason.1234ksdfak3j2erwedfsASdf
            CSeq: 35 INVITE
            From: sip:user@example.com;tag=11141343
            To: sip:user@example.edu;tag=2229
            Content-Length: {n}
            Content-Type: application/sdp
            Contact: <sip:user@host198.example.com>

            \(session)
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
