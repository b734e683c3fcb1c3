// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What the file of person keys says to whoever has no master key: whose keys lie there, and which slots are damaged.
public struct KeySlots: Sendable {
    /// People with a key, whatever it may open.
    public private(set) var live: Set<PersonID> = []
    /// People whose key was destroyed.
    public private(set) var destroyed: Set<PersonID> = []
    /// Slots, counted from 0 for the header, that were written whole once and are no slots any more.
    public private(set) var damaged: [Int] = []

    /// Reads every slot of the file at `DIR/keys`.
    ///
    /// A slot behind the newest whole batch is being written, or was torn by a crash: nobody's key was acknowledged there.
    ///
    /// - Throws: ``SealingError/notAKeyStore(_:)`` if its first slot is no header, or what the system says.
    public init(reading file: URL) throws(SealingError) {
        let opened = try KeyFile(file, flags: O_RDONLY)
        let count = try opened.size() / KeySlot.size
        guard count > 0,
            let header = KeySlot(bytes: try opened.read(KeySlot.size, at: 0)[...]),
            header.state == .header
        else { throw .notAKeyStore(file) }
        var torn: [Int] = []
        for number in 1..<max(1, count) {
            let bytes = try opened.read(KeySlot.size, at: number * KeySlot.size)
            guard let slot = KeySlot(bytes: bytes[...]) else {
                torn.append(number)
                continue
            }
            damaged += torn.filter { $0 < Int(slot.batch) }
            torn.removeAll { $0 < Int(slot.batch) }
            take(slot, number)
        }
    }

    private mutating func take(_ slot: KeySlot, _ number: Int) {
        guard slot.state != .void else { return }
        guard slot.state != .header, let person = PersonID(bytes: slot.person),
            !live.contains(person), !destroyed.contains(person)
        else {
            damaged.append(number)
            return
        }
        if slot.state == .live { live.insert(person) } else { destroyed.insert(person) }
    }
}
