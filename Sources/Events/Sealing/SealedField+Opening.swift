// SPDX-License-Identifier: Apache-2.0
internal import Crypto

extension Sealed {
    /// Reads the value, if the person's key still exists.
    ///
    /// - Throws: ``SealingError`` if there is a key and the box is not what was sealed under it.
    public func opened(with keys: any PersonKeys) throws(SealingError) -> Opened<Value> {
        switch self {
        case .open(let value, of: _): return .value(value)
        case .closed(let field):
            guard let key = keys.key(of: field.person) else { return .erased }
            let secret = key.fieldSecret(event: field.event, pointer: field.pointer)
            return .value(try field.opened(as: Value.self, withFieldSecret: secret))
        }
    }
}

extension SealedField {
    /// Reads the value with the secret of this field alone.
    public func opened<Value: Decodable>(
        as type: Value.Type = Value.self,
        withFieldSecret secret: FieldSecret
    ) throws(SealingError) -> Value {
        let plain = try plainBytes(withFieldSecret: secret)
        do {
            return try plain.withUnsafeBufferPointer {
                try CanonicalDecoding($0, event: nil).run(type)
            }
        } catch {
            throw .unreadable(self, reason: decodingReason(error))
        }
    }

    /// The canonical JSON that was sealed.
    public func plainBytes(withFieldSecret secret: FieldSecret) throws(SealingError) -> [UInt8] {
        guard let bytes = Base64URL.bytes(box), bytes.count > SealedBoxLayout.overhead else {
            throw .malformed(self)
        }
        // The commitment tells a wrong key from a damaged box, and keeps a box from opening under two keys.
        guard bytes.prefix(SealedBoxLayout.commitment).elementsEqual(secret.commitment) else {
            throw .otherSecret(self)
        }
        do {
            let sealed = try AES.GCM.SealedBox(
                combined: bytes.dropFirst(SealedBoxLayout.commitment)
            )
            return Array(try AES.GCM.open(sealed, using: secret.encryptionKey))
        } catch {
            throw .damaged(self)
        }
    }

    /// One text with everything that opening needs, for a column of a read model.
    public var storedText: String { "\(event) \(text) \(pointer)" }

    /// Reads what ``storedText`` gives; `nil` for anything else.
    public init?(storedText: String) {
        let parts = storedText.utf8.split(
            separator: UInt8(ascii: " "),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, let event = EventID(String(Substring(parts[0]))),
            let dot = parts[1].firstIndex(of: UInt8(ascii: ".")),
            let person = PersonID(String(Substring(parts[1][..<dot])))
        else { return nil }
        self.init(
            person: person,
            event: event,
            pointer: String(Substring(parts[2])),
            box: String(Substring(parts[1][parts[1].index(after: dot)...]))
        )
    }
}
