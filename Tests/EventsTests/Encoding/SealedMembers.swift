// SPDX-License-Identifier: Apache-2.0
import Events

/// An open sealed value: whose it is, and what must be inside the box.
struct OpenValue {
    let person: PersonID
    let json: [UInt8]
}

private protocol AnySealed {
    var openValue: OpenValue? { get }
    var closedField: SealedField? { get }
}

extension Sealed: AnySealed {
    fileprivate var openValue: OpenValue? {
        guard case .open(let value, of: let person) = self,
            let json = try? CanonicalEncoder().encode(value)
        else { return nil }
        return OpenValue(person: person, json: json)
    }

    fileprivate var closedField: SealedField? {
        guard case .closed(let field) = self else { return nil }
        return field
    }
}

func openValues(in fact: Fact) -> [OpenValue] {
    sealedMembers(of: fact).compactMap { ($0 as? any AnySealed)?.openValue }
}

func closedFields(in fact: Fact) -> [SealedField] {
    sealedMembers(of: fact).compactMap { ($0 as? any AnySealed)?.closedField }
}

/// The members of a payload that are there, found by reflection so that no kind is forgotten.
private func sealedMembers(of fact: Fact) -> [Any] {
    Mirror(reflecting: fact.payload).children.compactMap { child in
        let inner = Mirror(reflecting: child.value)
        return inner.displayStyle == .optional ? inner.children.first?.value : child.value
    }
}
