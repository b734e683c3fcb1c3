// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SIP

extension String {
    /// As it goes over the wire: with CR LF for LF.
    var wire: [UInt8] { utf8.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] } }
}

extension SIPRequest {
    /// A request with everything that it needs, as a telephone sends it.
    static func sample(
        _ method: SIPMethod = .message,
        transport: SIPTransport = .udp,
        branch: String = "z9hG4bK1",
        number: UInt32 = 1,
        toTag: String? = nil,
        fields: HeaderFields = [],
        body: String = ""
    ) -> SIPRequest {
        var all: HeaderFields = [
            HeaderField(
                "Via",
                "SIP/2.0/\(transport.rawValue) 192.0.2.1:5062;branch=\(branch);rport"
            ),
            HeaderField("From", "<sip:+4930123@192.0.2.1>;tag=f1"),
            HeaderField("To", "<sip:sos@example.com>" + (toTag.map { ";tag=" + $0 } ?? "")),
            HeaderField("Call-ID", "call1"),
            HeaderField("CSeq", "\(number) \(method.name)"),
            HeaderField("Max-Forwards", "70"),
        ]
        for field in fields.all { all.append(field) }
        return SIPRequest(
            method,
            .sip(SIPURI(user: "sos", host: "example.com")),
            fields: all,
            body: Array(body.utf8)
        )
    }
}

extension SIPPeer {
    static func sample(_ transport: SIPTransport = .udp) -> SIPPeer {
        SIPPeer(transport, host: "192.0.2.1", port: 40_000, connection: 1)
    }
}

extension SIPMessage {
    static func request(in bytes: [UInt8]) throws -> SIPRequest {
        guard case .request(let request) = try parse(bytes) else {
            throw SIPFault(.unsupported, at: "test")
        }
        return request
    }

    static func response(in bytes: [UInt8]) throws -> SIPResponse {
        guard case .response(let response) = try parse(bytes) else {
            throw SIPFault(.unsupported, at: "test")
        }
        return response
    }
}
