// SPDX-License-Identifier: Apache-2.0
internal import Crypto

/// One slot of the file of keys: 128 bytes that begin at a multiple of 128, so that no slot spans two disk sectors.
///
///     0    4 bytes    DBK1
///     4    1          state
///     8    4          the slot with which its batch begins, big-endian
///     16   16         the person
///     32   60         nonce ‖ wrapped key ‖ tag; zero in a slot without a key
///     112  16         the first bytes of the SHA-256 of the 112 bytes before
///
/// What is not listed is zero.
struct KeySlot {
    static let size = 128
    private static let wrappedSize = 60
    private static let checksumOffset = 112

    /// What a slot is for.
    ///
    /// The values differ in four bits at least, so that no flipped bit makes one another.
    enum State: UInt8 {
        /// The first slot: tells whether a master key fits.
        case header = 0x1E
        /// Holds a person's key.
        case live = 0x4C
        /// The person was erased; the key was overwritten.
        case destroyed = 0xB3
        /// Nothing was ever acknowledged here: a torn write that was found later.
        case void = 0xE1
    }

    let state: State
    /// The first slot of the write that brought this one: what was torn in the same write was never acknowledged.
    let batch: UInt32
    let person: [UInt8]
    let wrapped: [UInt8]

    init(_ state: State, batch: UInt32, person: [UInt8], wrapped: [UInt8]) {
        self.state = state
        self.batch = batch
        self.person = person
        self.wrapped = wrapped
    }

    /// A slot without a key.
    init(_ state: State, batch: UInt32, person: [UInt8] = Array(repeating: 0, count: 16)) {
        self.init(
            state,
            batch: batch,
            person: person,
            wrapped: Array(repeating: 0, count: Self.wrappedSize)
        )
    }

    /// Reads 128 bytes; `nil` if they are no slot or were changed.
    init?(bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.size, bytes.starts(with: "DBK1".utf8),
            let state = State(rawValue: bytes[4]),
            Self.checksum(bytes[..<Self.checksumOffset]) == bytes[Self.checksumOffset...]
        else { return nil }
        self.init(
            state,
            batch: bytes[8..<12].reduce(0) { $0 << 8 | UInt32($1) },
            person: Array(bytes[16..<32]),
            wrapped: Array(bytes[32..<(32 + Self.wrappedSize)])
        )
    }

    /// The 128 bytes.
    var bytes: [UInt8] {
        var bytes = Array("DBK1".utf8)
        bytes += [state.rawValue, 0, 0, 0]
        bytes += withUnsafeBytes(of: batch.bigEndian, Array.init)
        bytes += [0, 0, 0, 0]
        bytes += person
        bytes += wrapped
        bytes += Array(repeating: 0, count: Self.checksumOffset - bytes.count)
        return bytes + Self.checksum(bytes[...])
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        Array(SHA256.hash(data: bytes)).prefix(size - checksumOffset)
    }
}

extension KeySlot {
    /// A slot with a key in it, wrapped under the master key and tied to person and state.
    static func wrapping(
        _ key: PersonKey,
        _ state: State,
        batch: UInt32,
        person: [UInt8],
        under master: MasterKey
    ) -> KeySlot {
        let sealed = key.symmetricKey.withUnsafeBytes { plain in
            // Sealing 32 bytes under a key of the right size cannot fail.
            try? AES.GCM.seal(
                plain,
                using: master.symmetricKey,
                authenticating: [state.rawValue] + person
            )
        }
        guard let combined = sealed?.combined else {
            preconditionFailure("AES-GCM refused to wrap a key of 32 bytes")
        }
        return KeySlot(state, batch: batch, person: person, wrapped: Array(combined))
    }

    /// The key inside; `nil` if this master key did not wrap it.
    func key(under master: MasterKey) -> PersonKey? {
        guard let box = try? AES.GCM.SealedBox(combined: wrapped),
            let plain = try? AES.GCM.open(
                box,
                using: master.symmetricKey,
                authenticating: [state.rawValue] + person
            )
        else { return nil }
        return PersonKey(bytes: plain)
    }
}
