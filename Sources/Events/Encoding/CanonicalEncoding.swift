// SPDX-License-Identifier: Apache-2.0
/// One run of an encoder: the `Encoder` that values see.
///
/// Containers of Swift's `Encodable` are never closed by their user. This one closes a container when the value that
/// opened it returns, or when its parent goes on; so containers are to be used one inside the other, as synthesised
/// conformances do, and a container used after that is refused.
final class CanonicalEncoding: Encoder {
    /// An object or array that is still open.
    struct Frame {
        /// Tells this container from an earlier one at the same depth.
        let serial: Int
        /// `nil` for an array.
        let object: CanonicalWriter.OpenObject?
        /// Whether a member's name is written and its end is not.
        var inMember = false
        /// Elements begun, for an array.
        var elements = 0
    }

    let writer = CanonicalWriter()
    let sealer: FieldSealer?
    // Behind a pointer for the reason that ``CanonicalWriter`` gives.
    private let state: UnsafeMutablePointer<State>

    private struct State {
        var frames: [Frame] = []
        var serials = 0
    }

    init(sealer: FieldSealer?) {
        self.sealer = sealer
        state = .allocate(capacity: 1)
        state.initialize(to: State())
        frames.reserveCapacity(4)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    var frames: [Frame] {
        _read { yield state.pointee.frames }
        _modify { yield &state.pointee.frames }
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Encodes the outermost value.
    func run(_ value: some Encodable) throws(CanonicalEncodingError) {
        do {
            try write(value)
        } catch let error as CanonicalEncodingError {
            throw error
        } catch {
            throw .refused(pointer: pointer, reason: "\(error)")
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            CanonicalObject<Key>(encoding: self, frame: open(writer.openObject()))
        )
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        writer.write(UInt8(ascii: "["))
        return CanonicalArray(encoding: self, frame: open(nil))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        self
    }

    /// Where the run stands: the index of a frame, and the serial number that tells it from others there.
    struct Place {
        let depth: Int
        let serial: Int
    }

    func open(_ object: CanonicalWriter.OpenObject?) -> Place {
        state.pointee.serials += 1
        frames.append(Frame(serial: state.pointee.serials, object: object))
        return Place(depth: frames.count - 1, serial: state.pointee.serials)
    }

    /// Closes what was opened inside a container and is still open.
    func closeAll(above depth: Int) throws {
        while frames.count > depth {
            try endMember()
            let frame = frames.removeLast()
            guard let object = frame.object else {
                writer.write(UInt8(ascii: "]"))
                continue
            }
            if let name = writer.closeObject(object) {
                throw CanonicalEncodingError.nameRepeated(pointer: pointer, name: name)
            }
        }
    }

    /// Makes a container the innermost one again, before it writes.
    func goOn(at place: Place) throws {
        guard place.depth < frames.count, frames[place.depth].serial == place.serial else {
            throw CanonicalEncodingError.refused(
                pointer: pointer,
                reason:
                    "a container was used after its value had ended; use containers one inside the other"
            )
        }
        try closeAll(above: place.depth + 1)
        try endMember()
    }

    private func endMember() throws {
        guard let last = frames.indices.last, frames[last].inMember else { return }
        frames[last].inMember = false
        writer.endMember()
    }
}
