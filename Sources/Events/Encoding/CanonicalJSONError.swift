// SPDX-License-Identifier: Apache-2.0
/// Why bytes are no JSON value, or not a canonical one; offsets count bytes from 0.
public enum CanonicalJSONError: Error, Hashable, Sendable {
    /// Something else had to stand here.
    case unexpected(offset: Int, expected: Expected)
    /// It is JSON, but RFC 8785 writes it in another way.
    case notCanonical(offset: Int, Deviation)
    /// More values stand inside each other than ``EventLimits/jsonDepthMax``.
    case tooDeep(offset: Int)
    /// Two members of one object have the same name.
    case nameRepeated(offset: Int, name: String)
    /// A number that JSON readers would round or cannot hold.
    case inexactNumber(offset: Int)

    /// What was looked for.
    public enum Expected: String, Hashable, Sendable {
        case value = "a value"
        case name = "a member's name"
        case colon = "a colon"
        case memberEnd = "a comma or }"
        case elementEnd = "a comma or ]"
        case end = "the end"
        case string = "a string of valid UTF-8 and known escapes with a closing quote"
        case number = "a number"
    }

    /// In which way it is not canonical.
    public enum Deviation: String, Hashable, Sendable {
        case order = "the names of members are not in the order of their UTF-16 units"
        case escape = "a character is escaped that needs none, or in another form"
        case number = "the number is printed otherwise than ECMAScript does"
    }
}

extension CanonicalJSONError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unexpected(let offset, let expected):
            "no JSON: at byte \(offset) there should be \(expected.rawValue)"
        case .notCanonical(let offset, let deviation):
            "JSON, but not canonical: at byte \(offset) \(deviation.rawValue)"
        case .tooDeep(let offset):
            "JSON too deep: at byte \(offset) more than \(EventLimits.jsonDepthMax) values stand inside each other"
        case .nameRepeated(let offset, let name):
            "JSON with a repeated name: the object that ends at byte \(offset) has \"\(name)\" twice"
        case .inexactNumber(let offset):
            "JSON with an inexact number: the one at byte \(offset) cannot be held exactly; write it as a string"
        }
    }
}
