// SPDX-License-Identifier: Apache-2.0
extension CanonicalEncoding {
    /// Writes a sealed value in its wire form, sealing it first if it is open.
    func write<Value>(_ sealed: Sealed<Value>) throws {
        let field: SealedField
        switch sealed {
        case .open(let value, of: let person): field = try seal(value, of: person)
        case .closed(let closed): field = try checked(closed)
        }
        writer.write("{\"sealed\":\"")
        var text = field.text
        text.withUTF8 { writer.write($0) }
        writer.write("\"}")
    }

    private func seal(_ value: some Encodable, of person: PersonID) throws -> SealedField {
        let pointer = pointer
        guard let sealer else { throw CanonicalEncodingError.open(person, pointer: pointer) }
        guard let key = sealer.keys.key(of: person) else {
            throw CanonicalEncodingError.noKey(person, pointer: pointer)
        }
        let plain = CanonicalEncoding(sealer: nil)
        try plain.run(value)
        return try sealer.seal(plain.writer.bytes, of: person, with: key, pointer: pointer)
    }

    /// A field that is sealed already can only stand where it was sealed, or nobody could open it.
    private func checked(_ field: SealedField) throws -> SealedField {
        let pointer = pointer
        if let sealer, field.event != sealer.event || field.pointer != pointer {
            throw CanonicalEncodingError.sealedElsewhere(field, pointer: pointer)
        }
        return field
    }
}
