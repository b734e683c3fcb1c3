// SPDX-License-Identifier: Apache-2.0
/// One run of a decoder over canonical JSON: the `Decoder` that values see.
///
/// As with ``CanonicalEncoding``, containers are to be used one inside the other: what a value opened is closed when the
/// value was read, and a container used after that is refused.
final class CanonicalDecoding: Decoder {
    /// A member of an object that is open.
    struct Member {
        let name: Range<Int>
        let value: Range<Int>
        let prefix: NamePrefix

        init(_ name: Range<Int>, _ value: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) {
            self.name = name
            self.value = value
            prefix = NamePrefix(UnsafeBufferPointer(rebasing: bytes[name]))
        }
    }

    /// An object or array that is open.
    struct Frame {
        /// Tells this container from an earlier one at the same depth.
        let serial: Int
        let isObject: Bool
        /// Its members or elements in ``CanonicalDecoding/members``.
        let members: Range<Int>
        /// The member or element that is being read, counted from the first.
        var current: Int?
    }

    let bytes: UnsafeBufferPointer<UInt8>
    /// The event that is read, from which sealed fields take their place.
    let event: EventID?
    // Behind a pointer for the reason that ``CanonicalWriter`` gives.
    private let state: UnsafeMutablePointer<State>

    private struct State {
        var value: Range<Int>
        var members: [Member] = []
        var frames: [Frame] = []
        var serials = 0
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>, event: EventID?) {
        self.bytes = bytes
        self.event = event
        state = .allocate(capacity: 1)
        state.initialize(to: State(value: 0..<bytes.count))
        members.reserveCapacity(16)
        frames.reserveCapacity(4)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The value that is being read.
    var value: Range<Int> {
        get { state.pointee.value }
        set { state.pointee.value = newValue }
    }

    /// Members of all open containers, innermost last; an element has an empty name.
    var members: [Member] {
        _read { yield state.pointee.members }
        _modify { yield &state.pointee.members }
    }

    var frames: [Frame] {
        _read { yield state.pointee.frames }
        _modify { yield &state.pointee.frames }
    }

    var userInfo: [CodingUserInfoKey: Any] {
        event.map { [.event: $0] } ?? [:]
    }

    /// Decodes the whole of the bytes, which must be one canonical value.
    func run<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // Containers are scanned when they are opened; a value that is none is scanned here.
        if bytes.first != UInt8(ascii: "{"), bytes.first != UInt8(ascii: "[") {
            try CanonicalJSON.check(bytes)
        }
        return try read(type)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard bytes[value.lowerBound] == UInt8(ascii: "{") else {
            throw mismatch([String: Any].self)
        }
        let first = members.count
        try scan { scanner, depth throws(CanonicalJSONError) in
            try scanner.object(depth: depth) { members.append(Member($0, $1, in: bytes)) }
        }
        return KeyedDecodingContainer(
            CanonicalMembers<Key>(decoding: self, frame: open(first, isObject: true))
        )
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard bytes[value.lowerBound] == UInt8(ascii: "[") else { throw mismatch([Any].self) }
        let first = members.count
        try scan { scanner, depth throws(CanonicalJSONError) in
            try scanner.array(depth: depth) { members.append(Member(0..<0, $0, in: bytes)) }
        }
        return CanonicalElements(decoding: self, frame: open(first, isObject: false))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        self
    }

    /// Where the run stands: the index of a frame, and the serial number that tells it from others there.
    struct Place {
        let depth: Int
        let serial: Int
    }

    /// Makes a container the innermost one again, before it reads.
    func goOn(at place: Place) throws {
        guard place.depth < frames.count, frames[place.depth].serial == place.serial else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath,
                    debugDescription: "a container was used after its value had been read"
                )
            )
        }
        close(above: place.depth + 1)
    }

    /// Forgets containers that were opened inside others and have been read.
    func close(above depth: Int) {
        guard frames.count > depth else { return }
        members.removeSubrange(frames[depth].members.lowerBound...)
        frames.removeSubrange(depth...)
    }

    private func open(_ first: Int, isObject: Bool) -> Place {
        state.pointee.serials += 1
        let serial = state.pointee.serials
        frames.append(Frame(serial: serial, isObject: isObject, members: first..<members.count))
        return Place(depth: frames.count - 1, serial: serial)
    }

    private func scan(
        _ body: (inout CanonicalScanner, Int) throws(CanonicalJSONError) -> Void
    ) throws {
        var scanner = CanonicalScanner(
            UnsafeBufferPointer(rebasing: bytes[..<value.upperBound]),
            at: value.lowerBound
        )
        try body(&scanner, frames.count)
        try scanner.end()
    }
}
