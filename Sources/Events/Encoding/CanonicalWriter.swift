// SPDX-License-Identifier: Apache-2.0
/// Writes one canonical JSON value (RFC 8785) into a buffer that grows.
///
/// Members of an object are written as they come, each with a comma behind it, and are put in order when the
/// object closes: most objects are small, so moving their bytes once costs less than collecting them apart.
final class CanonicalWriter {
    private struct State {
        var base: UnsafeMutablePointer<UInt8>
        var count = 0
        var capacity: Int
        var members: [Member] = []
    }

    // Behind a pointer, because Swift checks each access to a member of a class for overlap with another, which took a
    // third of the time of encoding. One thread uses a writer, and each access ends before the next begins.
    private let state: UnsafeMutablePointer<State>

    init(capacity: Int = 1_024) {
        let capacity = max(capacity, 64)
        state = .allocate(capacity: 1)
        state.initialize(to: State(base: .allocate(capacity: capacity), capacity: capacity))
    }

    deinit {
        state.pointee.base.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Where the bytes begin; valid until more is written.
    var base: UnsafeMutablePointer<UInt8> { state.pointee.base }

    /// How many bytes were written.
    var count: Int { state.pointee.count }

    /// Members of all open objects, innermost last.
    var members: [Member] {
        _read { yield state.pointee.members }
        _modify { yield &state.pointee.members }
    }

    /// What was written.
    var bytes: [UInt8] { Array(tail(from: 0)) }

    /// What was written behind a place; valid until more is written.
    func tail(from place: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + place, count: count - place)
    }

    /// Makes room for so many bytes and returns where they go; ``advance(by:)`` keeps them.
    @inline(__always)
    func room(for size: Int) -> UnsafeMutablePointer<UInt8> {
        if state.pointee.capacity - state.pointee.count < size { grow(by: size) }
        return state.pointee.base + state.pointee.count
    }

    /// Keeps bytes that were put into the room.
    @inline(__always)
    func advance(by size: Int) {
        state.pointee.count += size
    }

    @inline(__always)
    func write(_ byte: UInt8) {
        room(for: 1).pointee = byte
        advance(by: 1)
    }

    func write(_ text: StaticString) {
        room(for: text.utf8CodeUnitCount)
            .update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        advance(by: text.utf8CodeUnitCount)
    }

    func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        room(for: bytes.count).update(from: start, count: bytes.count)
        advance(by: bytes.count)
    }

    func write(_ flag: Bool) {
        if flag { write("true") } else { write("false") }
    }

    @inline(never)
    private func grow(by size: Int) {
        let larger = max(state.pointee.capacity * 2, count + size)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: count)
        base.deallocate()
        state.pointee.base = moved
        state.pointee.capacity = larger
    }
}
