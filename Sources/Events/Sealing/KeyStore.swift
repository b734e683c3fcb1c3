// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Synchronization

/// The file that holds the keys of people, each wrapped under the master key.
///
/// Keys are created before the first entry that is sealed with them and destroyed to erase a person; both are on disk when
/// the call returns, so both block. All keys are held in memory, some hundred bytes for each person. May be used from any
/// thread; one process at a time may open it for writing.
public final class KeyStore: PersonKeys {
    /// What a store is opened for.
    public enum Access: Sendable {
        case reading
        /// Creates the file if there is none, and keeps other writers away.
        case writing
    }

    let file: KeyFile
    private let masterKey: MasterKey
    private let access: Access
    private let people: Mutex<[PersonID: Holding]>
    private let tail: Mutex<Tail>

    /// What is known of one person.
    struct Holding {
        let slot: UInt32
        let batch: UInt32
        /// `nil` once destroyed.
        let key: PersonKey?
    }

    /// Where the next slot goes.
    private enum Tail {
        case next(UInt32)
        /// After a failed sync nobody knows what is on disk, so this process writes no more.
        case failed(call: String, errno: Int32)
    }

    /// Opens the file, unwraps every key and repairs what a crash left behind.
    ///
    /// A slot that a crash tore was never acknowledged and is passed over; one that was written long ago and is damaged
    /// refuses the whole file, for without its key a person would read as erased.
    public static func open(
        at file: URL,
        masterKey: MasterKey,
        for access: Access = .writing
    ) throws(SealingError) -> KeyStore {
        let opened = try KeyFile(file, flags: access == .writing ? O_RDWR | O_CREAT : O_RDONLY)
        if access == .writing { try opened.lock() }
        var loader = KeyFileLoader(opened, masterKey)
        try loader.load()
        if access == .writing { try loader.repair() }
        return KeyStore(opened, masterKey, access, loader.people, next: loader.slots)
    }

    /// Whether there is a file with keys, or room for them: a shorter one was being created, and nobody has a key in it.
    public static func exists(at file: URL) -> Bool {
        fileBytes(file.path).map { $0 >= KeySlot.size } ?? false
    }

    /// Where the keys lie.
    public var path: String { file.url.path }

    private init(
        _ file: KeyFile,
        _ masterKey: MasterKey,
        _ access: Access,
        _ people: [PersonID: Holding],
        next: UInt32
    ) {
        self.file = file
        self.masterKey = masterKey
        self.access = access
        self.people = Mutex(people)
        tail = Mutex(.next(next))
    }

    /// The key of a person; `nil` if it was destroyed, or never created.
    public func key(of person: PersonID) -> PersonKey? {
        people.withLock { $0[person]?.key }
    }

    /// Whether the person has a key here, or had one that was destroyed.
    public func knows(_ person: PersonID) -> Bool {
        people.withLock { $0[person] != nil }
    }

    /// Whether the person's key was destroyed here.
    public func isDestroyed(_ person: PersonID) -> Bool {
        people.withLock { people in
            guard let holding = people[person] else { return false }
            return holding.key == nil
        }
    }

    /// How many people have a key.
    public var count: Int {
        people.withLock { $0.values.count { $0.key != nil } }
    }

    /// Makes a key for a person; nothing happens if there is one.
    ///
    /// Returns once the key is on disk.
    public func create(_ person: PersonID) throws(SealingError) {
        try create([person])
    }

    /// Makes keys for those people who have none, with one sync for all of them.
    public func create(_ persons: some Sequence<PersonID>) throws(SealingError) {
        let persons = Array(persons)
        try writing { next throws(SealingError) in
            var fresh: [PersonID: Holding] = [:]
            var bytes: [UInt8] = []
            let batch = next
            for person in persons where try isMissing(person) && fresh[person] == nil {
                let key = PersonKey.random()
                fresh[person] = Holding(slot: next, batch: batch, key: key)
                bytes +=
                    KeySlot.wrapping(
                        key,
                        .live,
                        batch: batch,
                        person: person.uuid.bytes,
                        under: masterKey
                    ).bytes
                next += 1
            }
            try add(bytes, at: batch)
            people.withLock { $0.merge(fresh) { _, new in new } }
        }
    }

    /// Makes everything that is sealed for a person unreadable, for good.
    ///
    /// Returns once the key on disk is overwritten; a person without a key is marked, and can get none later. Doing it again
    /// changes nothing, so it is repeated at every start for everybody whom the log calls erased.
    public func destroy(_ person: PersonID) throws(SealingError) {
        try writing { next throws(SealingError) in
            let holding = people.withLock { $0[person] }
            if let holding, holding.key == nil { return }
            let slot = holding?.slot ?? next
            let batch = holding?.batch ?? next
            if holding == nil { next += 1 }
            let mark = KeySlot(.destroyed, batch: batch, person: person.uuid.bytes).bytes
            if holding == nil { try add(mark, at: slot) } else { try put(mark, at: slot) }
            people.withLock { $0[person] = Holding(slot: slot, batch: batch, key: nil) }
        }
    }

    private func isMissing(_ person: PersonID) throws(SealingError) -> Bool {
        guard let holding = people.withLock({ $0[person] }) else { return true }
        guard holding.key != nil else { throw .destroyed(person) }
        return false
    }

    /// Runs one writer at a time; readers of keys go on meanwhile.
    private func writing(
        _ body: (inout UInt32) throws(SealingError) -> Void
    ) throws(SealingError) {
        guard access == .writing else { throw .readOnly(file.url) }
        let result: Result<Void, SealingError> = tail.withLock { tail in
            switch tail {
            case .failed(let call, let errno):
                return .failure(.system(call: call, file.url, errno: errno))
            case .next(var next):
                do throws(SealingError) {
                    try body(&next)
                    tail = .next(next)
                    return .success(())
                } catch {
                    if case .system(let call, _, let errno) = error {
                        tail = .failed(call: call, errno: errno)
                    }
                    return .failure(error)
                }
            }
        }
        try result.get()
    }

    /// Writes behind the last slot; where there is no room, the file ends again where it did, and goes on by itself.
    private func add(_ bytes: [UInt8], at slot: UInt32) throws(SealingError) {
        do throws(SealingError) {
            try put(bytes, at: slot)
        } catch {
            guard case .system(_, let url, let errno) = error, errno == ENOSPC || errno == EDQUOT
            else { throw error }
            try file.truncate(to: Int(slot) * KeySlot.size)
            throw .full(url)
        }
    }

    private func put(_ bytes: [UInt8], at slot: UInt32) throws(SealingError) {
        guard !bytes.isEmpty else { return }
        try file.write(bytes, at: Int(slot) * KeySlot.size)
        try file.sync()
    }
}
