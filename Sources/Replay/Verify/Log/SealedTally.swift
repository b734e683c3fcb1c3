// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Sealed fields counted, and what came of opening them where keys are at hand.
struct SealedTally: Sendable {
    /// How many fields are sealed, in the shape that the format asks for.
    var count = 0
    /// How many opened.
    var opened = 0
    /// Whose they are: with their number of fields and the first position.
    var people: [PersonID: (count: Int, first: UInt64)] = [:]

    mutating func add(_ other: SealedTally) {
        count += other.count
        opened += other.opened
        people.merge(other.people) { ($0.count + $1.count, min($0.first, $1.first)) }
    }

    /// Opens every sealed field of an event's data.
    ///
    /// - Returns: What is wrong with those that have a key and do not open.
    mutating func open(
        _ data: UnsafeBufferPointer<UInt8>,
        of event: EventID,
        at position: UInt64,
        with keys: any PersonKeys
    ) -> [EntryProblem] {
        var fields: [SealedField] = []
        DataWalk.leaves(of: data) { path, leaf in
            guard case .sealed(let person, let box) = leaf else { return }
            fields.append(
                SealedField(
                    person: person,
                    event: event,
                    pointer: DataWalk.pointer(path),
                    box: box
                )
            )
        }
        return fields.compactMap { field in
            guard let key = keys.key(of: field.person) else {
                return nil
            }
            do {
                _ = try field.plainBytes(
                    withFieldSecret: key.fieldSecret(event: event, pointer: field.pointer)
                )
                opened += 1
                return nil
            } catch {
                return EntryProblem(position: position, fact: "\(error)")
            }
        }
    }
}

extension SealedTally {
    /// Counts the sealed fields of an event's data; inside a string their quotes would be escaped.
    ///
    /// - Returns: How many there are.
    mutating func count(_ data: UnsafeBufferPointer<UInt8>, at position: UInt64) -> Int {
        let mark: StaticString = "{\"sealed\":\""
        let length = mark.utf8CodeUnitCount
        guard let base = UnsafeRawPointer(data.baseAddress) else { return 0 }
        var found = 0
        var index = 0
        while index + length <= data.count,
            let brace = memchr(base + index, Int32(UInt8(ascii: "{")), data.count - index)
        {
            index = UnsafeRawPointer(brace) - base
            guard index + length <= data.count else { break }
            if memcmp(base + index, mark.utf8Start, length) == 0 {
                found += 1
                note(data[(index + length)...].prefix(36), at: position)
            }
            index += 1
        }
        count += found
        return found
    }

    private mutating func note(_ text: Slice<UnsafeBufferPointer<UInt8>>, at position: UInt64) {
        // A field that names nobody is found by whoever decodes it.
        guard text.count == 36, let id = UUIDv7(utf8: UnsafeBufferPointer(rebasing: text)) else {
            return
        }
        people[PersonID(id), default: (0, position)].count += 1
    }
}
