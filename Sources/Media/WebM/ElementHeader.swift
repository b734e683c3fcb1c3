// SPDX-License-Identifier: Apache-2.0

/// The id and size that stand before an element's data (RFC 8794 §5 and §6).
struct ElementHeader: Hashable, Sendable {
    let id: UInt32
    /// The size of the data in bytes; `nil` when the writer did not know it.
    let size: UInt64?
    /// The length of id and size themselves.
    let length: Int

    /// Reads the header at the start of the bytes.
    ///
    /// - Parameter bytes: What has arrived so far.
    /// - Returns: `nil` when more bytes are needed.
    /// - Throws: ``Malformed`` when no bytes to come can make this a header.
    static func read(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> ElementHeader? {
        guard let first = bytes.first else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard idLength <= 4 else { throw Malformed() }
        guard bytes.count > idLength else { return nil }
        let sizeAt = bytes.startIndex + idLength
        let sizeLength = bytes[sizeAt].leadingZeroBitCount + 1
        guard sizeLength <= 8 else { throw Malformed() }
        guard bytes.count >= idLength + sizeLength else { return nil }
        let id = bytes[bytes.startIndex..<sizeAt].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let marked = bytes[sizeAt..<sizeAt + sizeLength].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let mask = (UInt64(1) << (7 * UInt64(sizeLength))) - 1
        let value = marked & mask
        return ElementHeader(
            id: id,
            size: value == mask ? nil : value,
            length: idLength + sizeLength
        )
    }

    /// Bytes that are no element header.
    struct Malformed: Error {}
}

/// The elements directly inside a whole, buffered master element.
struct Children {
    private var rest: ArraySlice<UInt8>

    init(of data: ArraySlice<UInt8>) { rest = data }

    /// The next child and its data.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: ``ElementHeader/Malformed`` when a child is torn, of unknown size or no element.
    mutating func next() throws(ElementHeader.Malformed) -> (id: UInt32, data: ArraySlice<UInt8>)? {
        guard !rest.isEmpty else { return nil }
        guard let header = try ElementHeader.read(rest), let size = header.size,
            size <= UInt64(rest.count - header.length)
        else { throw ElementHeader.Malformed() }
        let body = rest.dropFirst(header.length)
        rest = body.dropFirst(Int(size))
        return (header.id, body.prefix(Int(size)))
    }
}

extension ArraySlice<UInt8> {
    /// The slice as an EBML unsigned integer: big endian, at most eight bytes, empty is 0.
    var ebmlUnsigned: UInt64? {
        guard count <= 8 else { return nil }
        return reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    /// The slice as EBML text: UTF-8, ended early by a zero byte.
    var ebmlText: String { String(decoding: prefix { $0 != 0 }, as: UTF8.self) }
}
