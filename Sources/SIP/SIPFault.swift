// SPDX-License-Identifier: Apache-2.0

/// Why bytes are no message, or a body is not what its type says: what is wrong, and where.
///
/// It never holds what was sent, so it may be logged.
public struct SIPFault: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: String, Sendable, CaseIterable {
        case badAddress = "is no address"
        case badNumber = "is no number in its range"
        case badParameter = "has a parameter that cannot be read"
        case badText = "cannot be read"
        case badURI = "is no URI"
        case cutOff = "is shorter than it says"
        case bareLineEnd = "has a line that does not end in CR LF"
        case contradicts = "contradicts another part of the message"
        case forbidden = "has what is not allowed here"
        case missing = "is missing"
        case notUTF8 = "is not UTF-8"
        case outOfRange = "is out of range"
        case repeated = "stands there more than once"
        case tooLong = "is too long"
        case tooMany = "has too many parts"
        case unsupported = "is of a kind that is not supported"
        case unsupportedVersion = "is not SIP/2.0"
    }

    /// What is wrong.
    public let reason: Reason
    /// Where: a header field's name, "start line", or a part of a body.
    public let place: String

    public init(_ reason: Reason, at place: String) {
        self.reason = reason
        self.place = place
    }

    /// The status that a request with this fault is answered with (RFC 3261 §21.4, §21.5).
    public var status: Int {
        switch (reason, place) {
        case (.unsupportedVersion, _): 505
        case (.tooLong, "body"): 413
        default: 400
        }
    }
}

extension SIPFault: CustomStringConvertible {
    public var description: String { "\(place) \(reason.rawValue)" }
}
