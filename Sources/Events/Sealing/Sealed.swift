// SPDX-License-Identifier: Apache-2.0
/// A personal value that can be forgotten: in the log it stands encrypted under its person's key.
///
/// A decision makes it `.open`; the encoder seals it. What is read back is `.closed` until somebody with keys opens it.
public enum Sealed<Value: Codable & Hashable & Sendable>: Hashable, Sendable {
    /// Not yet sealed: the value, and the person whom it tells about.
    case open(Value, of: PersonID)
    /// As it stands in the log.
    case closed(SealedField)

    /// Whose value it is.
    public var person: PersonID {
        switch self {
        case .open(_, of: let person): person
        case .closed(let field): field.person
        }
    }
}

/// What opening a sealed value gives.
public enum Opened<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value.
    case value(Value)
    /// The person's key was destroyed, or this reader holds no keys.
    case erased

    /// The value, or `nil` if it is erased.
    public var value: Value? {
        guard case .value(let value) = self else { return nil }
        return value
    }
}

/// One sealed field, with the place that its keys derive from.
public struct SealedField: Hashable, Sendable {
    /// Whose key sealed it.
    public let person: PersonID
    /// The event that holds it.
    public let event: EventID
    /// Where it stands in the event's `data`, as a JSON pointer: `/phone`.
    public let pointer: String
    /// The base64url of commitment(32) ‖ nonce ‖ ciphertext ‖ tag.
    public let box: String

    public init(person: PersonID, event: EventID, pointer: String, box: String) {
        self.person = person
        self.event = event
        self.pointer = pointer
        self.box = box
    }

    /// What stands on the wire: `<key id>.<base64url>`.
    public var text: String { "\(person).\(box)" }
}
