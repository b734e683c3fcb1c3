// SPDX-License-Identifier: Apache-2.0
/// Why a value has no canonical JSON.
public enum CanonicalEncodingError: Error, Hashable, Sendable {
    /// A whole number beyond ±(2⁵³ − 1), which JSON readers round.
    case integerTooLarge(pointer: String, digits: String)
    /// Infinity or not-a-number, which JSON does not have.
    case notFinite(pointer: String)
    /// Two members of one object have this name.
    case nameRepeated(pointer: String, name: String)
    /// Deeper than ``EventLimits/jsonDepthMax``.
    case tooDeep(pointer: String)
    /// A sealed value is still open and this person has no key.
    case noKey(PersonID, pointer: String)
    /// A sealed value is still open, and this encoder was not told for which event it writes.
    case open(PersonID, pointer: String)
    /// A sealed value that belongs to another place: its keys derive from that place.
    case sealedElsewhere(SealedField, pointer: String)
    /// The value's own `encode(to:)` refused.
    case refused(pointer: String, reason: String)
}

extension CanonicalEncodingError: CustomStringConvertible {
    public var description: String {
        "encoding to canonical JSON failed at \"\(pointer)\": \(reason)"
    }

    /// Where in the value, as a JSON pointer; empty for the whole.
    public var pointer: String {
        switch self {
        case .integerTooLarge(let pointer, _), .notFinite(let pointer),
            .nameRepeated(let pointer, _),
            .tooDeep(let pointer), .noKey(_, let pointer), .open(_, let pointer),
            .sealedElsewhere(_, let pointer), .refused(let pointer, _):
            pointer
        }
    }

    private var reason: String {
        switch self {
        case .integerTooLarge(_, let digits):
            "\(digits) is beyond 2^53 - 1, where JSON numbers stop being exact; write it as a string"
        case .notFinite:
            "the number is infinite or no number, which JSON cannot say; leave it out"
        case .nameRepeated(_, let name):
            "the name \"\(name)\" occurs twice; write each member once"
        case .tooDeep:
            "more than \(EventLimits.jsonDepthMax) values stand inside each other"
        case .noKey(let person, _):
            "person \(person) has no key; create the key before the first event that is sealed with it"
        case .open(let person, _):
            "a value of person \(person) is not sealed; use EventEncoder, which seals"
        case .sealedElsewhere(let field, _):
            "it was sealed for \(field.pointer) of event \(field.event); open it and seal it anew"
        case .refused(_, let reason): reason
        }
    }
}
