// SPDX-License-Identifier: Apache-2.0
/// Writes one canonical JSON value (RFC 8785) into a buffer that grows.
///
/// Members of an object are written as they come, each with a comma behind it, and are put in order when the
/// object closes: most objects are small, so moving their bytes once costs less than collecting them apart.
final class CanonicalWriter {
    /// A member of an object that is still open: where its quoted name begins and ends, and where it ends.
    struct Member {
        let start: Int
        let nameEnd: Int
        var end: Int
    }

    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int
    /// Members of all open objects, innermost last.
    var members: [Member] = []

    init(capacity: Int = 1_024) {
        self.capacity = max(capacity, 64)
        base = .allocate(capacity: self.capacity)
    }

    deinit {
        base.deallocate()
    }

    /// What was written.
    var bytes: [UInt8] {
        Array(UnsafeBufferPointer(start: base, count: count))
    }

    /// Makes room for so many bytes and returns where they go; ``advance(by:)`` keeps them.
    func room(for size: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < size { grow(by: size) }
        return base + count
    }

    /// Keeps bytes that were put into the room.
    func advance(by size: Int) {
        count += size
    }

    /// What was written behind a place; valid until more is written.
    func tail(from place: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + place, count: count - place)
    }

    func write(_ byte: UInt8) {
        room(for: 1).pointee = byte
        count += 1
    }

    func write(_ text: StaticString) {
        room(for: text.utf8CodeUnitCount)
            .update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        count += text.utf8CodeUnitCount
    }

    func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        room(for: bytes.count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    func write(_ flag: Bool) {
        if flag { write("true") } else { write("false") }
    }

    private func grow(by size: Int) {
        let larger = max(capacity * 2, count + size)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = larger
    }
}
