// SPDX-License-Identifier: Apache-2.0
/// Reads the file of keys once, from its first slot to its last.
struct KeyFileLoader {
    private let file: KeyFile
    private let masterKey: MasterKey
    private(set) var people: [PersonID: KeyStore.Holding] = [:]
    /// How many slots there are, the header with them.
    private(set) var slots: UInt32 = 0
    /// Slots that are none; they are a crash's doing unless something was acknowledged behind them.
    private var torn: [UInt32] = []
    /// The newest batch.
    private var lastBatch: UInt32?

    /// How many slots are read at a time.
    private static let slotsPerRead = 8_192

    init(_ file: KeyFile, _ masterKey: MasterKey) {
        self.file = file
        self.masterKey = masterKey
    }

    /// Reads every slot.
    mutating func load() throws(SealingError) {
        let size = try file.size()
        // A file shorter than its header was being created; nobody can have a key in it.
        guard size >= KeySlot.size else { return }
        slots = UInt32(size / KeySlot.size)
        try checkHeader()
        people.reserveCapacity(Int(slots))
        var first: UInt32 = 1
        while first < slots {
            let count = min(Int(slots - first), Self.slotsPerRead)
            let bytes = try file.read(count * KeySlot.size, at: Int(first) * KeySlot.size)
            for number in 0..<(bytes.count / KeySlot.size) {
                let start = number * KeySlot.size
                try take(bytes[start..<(start + KeySlot.size)], at: first + UInt32(number))
            }
            first += UInt32(count)
        }
    }

    /// Makes the file whole again: writes the header of a new file, and marks what was torn.
    mutating func repair() throws(SealingError) {
        if slots == 0 { return try createHeader() }
        try file.truncate(to: Int(slots) * KeySlot.size)
        for slot in torn {
            try file.write(KeySlot(.void, batch: slot).bytes, at: Int(slot) * KeySlot.size)
        }
        if let lastBatch {
            // If a process before us failed to sync it, it may be in the system's memory only: write it once more.
            let offset = Int(lastBatch) * KeySlot.size
            try file.write(
                try file.read(Int(slots) * KeySlot.size - offset, at: offset),
                at: offset
            )
        }
        if !torn.isEmpty || lastBatch != nil { try file.sync() }
    }

    private mutating func createHeader() throws(SealingError) {
        let header = KeySlot.wrapping(
            .random(),
            .header,
            batch: 0,
            person: Array(repeating: 0, count: 16),
            under: masterKey
        )
        try file.write(header.bytes, at: 0)
        try file.sync()
        try file.syncFolder()
        slots = 1
    }

    private func checkHeader() throws(SealingError) {
        guard let header = KeySlot(bytes: try file.read(KeySlot.size, at: 0)[...]),
            header.state == .header
        else { throw .notAKeyStore(file.url) }
        guard header.key(under: masterKey) != nil else { throw .wrongMasterKey(file.url) }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>, at number: UInt32) throws(SealingError) {
        guard let slot = KeySlot(bytes: bytes) else {
            torn.append(number)
            return
        }
        if let damaged = torn.first(where: { $0 < slot.batch }) {
            throw .damagedSlot(Int(damaged), file.url)
        }
        lastBatch = slot.batch
        guard slot.state != .void else { return }
        guard let person = PersonID(bytes: slot.person), slot.state != .header,
            people[person] == nil
        else { throw .damagedSlot(Int(number), file.url) }
        let key = slot.key(under: masterKey)
        guard (key == nil) == (slot.state == .destroyed) else {
            throw .damagedSlot(Int(number), file.url)
        }
        people[person] = KeyStore.Holding(slot: number, batch: slot.batch, key: key)
    }
}

extension PersonID {
    /// Reads sixteen bytes; `nil` if they are no UUID of version 7.
    init?(bytes: [UInt8]) {
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            for nibble in [byte >> 4, byte & 15] {
                text.unicodeScalars.append(Unicode.Scalar(lowerHexDigit(of: nibble)))
            }
        }
        self.init(text)
    }
}
