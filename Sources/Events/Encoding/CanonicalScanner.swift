// SPDX-License-Identifier: Apache-2.0
/// Walks over canonical JSON and refuses anything else.
struct CanonicalScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    /// The next byte to look at.
    var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int = 0) {
        self.bytes = bytes
        self.index = index
    }

    /// The next byte; 0, which no JSON has, behind the last.
    var next: UInt8 {
        index < bytes.count ? bytes[index] : 0
    }

    /// Walks over one value.
    mutating func value(depth: Int) throws(CanonicalJSONError) {
        switch next {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"): try object(depth: depth) { _, _ in }
        case UInt8(ascii: "["): try array(depth: depth) { _ in }
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try number()
        }
    }

    /// Walks over an object and tells the place of each member's name, without quotes, and value.
    @inline(__always)
    mutating func object(
        depth: Int,
        member: (_ name: Range<Int>, _ value: Range<Int>) -> Void
    ) throws(CanonicalJSONError) {
        try enter(UInt8(ascii: "{"), depth: depth)
        if take(UInt8(ascii: "}")) { return }
        var previous: Range<Int>?
        repeat {
            let name = try string(orElse: .name)
            if let previous { try check(name, follows: previous) }
            previous = name
            guard take(UInt8(ascii: ":")) else {
                throw .unexpected(offset: index, expected: .colon)
            }
            let start = index
            try value(depth: depth + 1)
            member(name, start..<index)
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else {
            throw .unexpected(offset: index, expected: .memberEnd)
        }
    }

    /// Walks over an array and tells the place of each element.
    @inline(__always)
    mutating func array(
        depth: Int,
        element: (Range<Int>) -> Void
    ) throws(CanonicalJSONError) {
        try enter(UInt8(ascii: "["), depth: depth)
        if take(UInt8(ascii: "]")) { return }
        repeat {
            let start = index
            try value(depth: depth + 1)
            element(start..<index)
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else {
            throw .unexpected(offset: index, expected: .elementEnd)
        }
    }

    /// Checks that nothing is left.
    func end() throws(CanonicalJSONError) {
        guard index == bytes.count else { throw .unexpected(offset: index, expected: .end) }
    }

    /// Takes one byte if it is that one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func enter(_ bracket: UInt8, depth: Int) throws(CanonicalJSONError) {
        guard take(bracket) else { throw .unexpected(offset: index, expected: .value) }
        guard depth < EventLimits.jsonDepthMax else { throw .tooDeep(offset: index - 1) }
    }

    private func check(
        _ name: Range<Int>,
        follows previous: Range<Int>
    ) throws(CanonicalJSONError) {
        let (left, right) = (slice(previous), slice(name))
        let order = JSONNameOrder.compare(left, right)
        guard order < 0 else {
            throw order == 0
                ? .nameRepeated(
                    offset: name.lowerBound,
                    name: String(decoding: right, as: UTF8.self)
                )
                : .notCanonical(offset: name.lowerBound, .order)
        }
    }

    /// Part of the bytes.
    func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[range])
    }

    private mutating func literal(_ text: StaticString) throws(CanonicalJSONError) {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count,
            (0..<count).allSatisfy({ bytes[index + $0] == text.utf8Start[$0] })
        else { throw .unexpected(offset: index, expected: .value) }
        index += count
    }
}
