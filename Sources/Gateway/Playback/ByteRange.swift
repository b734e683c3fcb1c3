// SPDX-License-Identifier: Apache-2.0
import Events

/// What a `Range` field asks of a file of known length (RFC 9110 §14.1.2).
///
/// Several ranges at once are answered by the whole file, as §14.2 allows.
enum ByteRange: Hashable, Sendable {
    case whole
    case part(Range<UInt64>)
    /// Nothing of it exists; on a growing file: nothing new.
    case unsatisfiable

    /// Reads a field; one that is missing, or that means nothing to us, asks for the whole.
    init(_ field: String?, length: UInt64) {
        guard let field, field.hasPrefix("bytes="), !field.contains(",") else {
            self = .whole
            return
        }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.trimmingPrefix { $0 == " " } }
        guard ends.count == 2, ends.allSatisfy({ $0.allSatisfy(\.isNumber) }) else {
            self = .whole
            return
        }
        // What is longer than a number can be asks for nothing that we could name.
        let numbers = ends.map { NumberText.whole($0, in: 0...UInt64.max) }
        guard zip(ends, numbers).allSatisfy({ $0.isEmpty || $1 != nil }) else {
            self = .whole
            return
        }
        switch (numbers[0], numbers[1]) {
        case (nil, nil): self = .whole
        case (nil, let suffix?):
            self =
                suffix == 0 || length == 0
                ? .unsatisfiable : .part(length - min(suffix, length)..<length)
        case (let first?, let last):
            guard last.map({ $0 >= first }) ?? true else {
                self = .whole
                return
            }
            let end = min(length, last.map { $0 < length ? $0 + 1 : length } ?? length)
            self = first < end ? .part(first..<end) : .unsatisfiable
        }
    }
}
