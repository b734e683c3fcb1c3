// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import TestSupport
import Testing

/// A file of keys in a folder of its own.
private struct Keys {
    let folder: TemporaryFolder
    let file: URL
    let master = MasterKey.random()
    private var generator = SeededGenerator(seed: 7)

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "keys")
    }

    func open(_ access: KeyStore.Access = .writing) throws -> KeyStore {
        try KeyStore.open(at: file, masterKey: master, for: access)
    }

    mutating func people(_ count: Int) -> [PersonID] {
        (0..<count).map { _ in
            PersonID(at: Timestamp(microseconds: 1_700_000_000_000_000), using: &generator)
        }
    }

    var bytes: [UInt8] {
        get throws { Array(try Data(contentsOf: file)) }
    }

    func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: file)
    }
}

@Suite(.tags(.promise7)) struct `The file of keys` {
    @Test(arguments: [DiskFaults.Call.write, .sync])
    func `makes no key without room, and goes on by itself`(call: DiskFaults.Call) throws {
        var keys = try Keys()
        let people = keys.people(3)
        let disk = DiskFaults(at: keys.file)
        do {
            let store = try keys.open()
            try store.create(people[0])
            disk.fail(call, with: ENOSPC)
            #expect(throws: SealingError.full(keys.file)) { try store.create(people[1]) }
            #expect(throws: SealingError.full(keys.file)) { try store.destroy(people[2]) }
            #expect(store.key(of: people[1]) == nil && !store.isDestroyed(people[2]))
            disk.heal()
            try store.create(people[1])
        }
        let store = try keys.open()
        #expect(store.count == 2 && store.key(of: people[1]) != nil)
    }

    @Test func `keeps what was created`() throws {
        var keys = try Keys()
        let people = keys.people(20)
        let before: [PersonKey?]
        do {
            let store = try keys.open()
            for person in people[..<5] { try store.create(person) }
            try store.create(people)
            try store.create(people)
            before = people.map { store.key(of: $0) }
            #expect(store.count == 20)
        }
        #expect(Set(before).count == 20)
        #expect(!before.contains(nil))
        let store = try keys.open()
        #expect(people.map { store.key(of: $0) } == before)
        #expect(try keys.bytes.count == 21 * 128)
    }

    @Test func `has no key left after it was destroyed, and makes none anew`() throws {
        var keys = try Keys()
        let people = keys.people(3)
        let wrapped: ArraySlice<UInt8>
        do {
            let store = try keys.open()
            try store.create(people)
            wrapped = try keys.bytes[(2 * 128 + 32)..<(2 * 128 + 92)]
            try store.destroy(people[1])
            try store.destroy(people[1])
            #expect(store.key(of: people[1]) == nil)
            #expect(store.isDestroyed(people[1]))
            #expect(!store.isDestroyed(people[0]))
            #expect(throws: SealingError.destroyed(people[1])) { try store.create(people[1]) }
        }
        let bytes = try keys.bytes
        #expect(bytes.firstRange(of: wrapped) == nil)
        #expect(bytes[(2 * 128 + 32)..<(2 * 128 + 92)].allSatisfy { $0 == 0 })
        let store = try keys.open()
        #expect(store.key(of: people[1]) == nil)
        #expect(store.key(of: people[2]) != nil)
        #expect(throws: SealingError.destroyed(people[1])) { try store.create(people) }
        #expect(store.count == 2)
    }

    @Test func `remembers that a person whom it never knew was erased`() throws {
        var keys = try Keys()
        let person = try #require(keys.people(1).first)
        try keys.open().destroy(person)
        let store = try keys.open()
        #expect(store.isDestroyed(person))
        #expect(throws: SealingError.destroyed(person)) { try store.create(person) }
    }

    @Test func `holds no key in the clear`() throws {
        var keys = try Keys()
        let people = keys.people(4)
        let store = try keys.open()
        try store.create(people)
        let bytes = try keys.bytes
        for person in people {
            let key = try #require(store.key(of: person))
            // The first eight bytes of a key are enough to find it.
            let plain = try #require(keyBytes(key)).prefix(8)
            #expect(bytes.firstRange(of: plain) == nil)
        }
    }

    /// A key has no door that shows its bytes; its storage does.
    private func keyBytes(_ key: PersonKey) -> [UInt8]? {
        withUnsafeBytes(of: key) { Array($0) }
    }

    @Test func `is refused with another master key`() throws {
        let keys = try Keys()
        _ = try keys.open()
        #expect(throws: SealingError.wrongMasterKey(keys.file)) {
            try KeyStore.open(at: keys.file, masterKey: .random())
        }
    }

    @Test func `is refused when it is another file`() throws {
        let keys = try Keys()
        try keys.write(Array(repeating: 65, count: 400))
        #expect(throws: SealingError.notAKeyStore(keys.file)) { try keys.open() }
    }

    @Test func `is written by one at a time, and read by many`() throws {
        var keys = try Keys()
        let person = try #require(keys.people(1).first)
        let writer = try keys.open()
        try writer.create(person)
        #expect(throws: SealingError.inUse(keys.file)) { try keys.open() }
        let reader = try keys.open(.reading)
        #expect(reader.key(of: person) == writer.key(of: person))
        #expect(throws: SealingError.readOnly(keys.file)) { try reader.create(person) }
        #expect(throws: SealingError.readOnly(keys.file)) { try reader.destroy(person) }
    }

    @Test func `takes keys from many threads at once`() async throws {
        var keys = try Keys()
        let people = keys.people(64)
        let store = try keys.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in people {
                group.addTask { try store.create(person) }
                group.addTask { _ = store.key(of: person) }
            }
            try await group.waitForAll()
        }
        let before = people.map { store.key(of: $0) }
        let reader = try keys.open(.reading)
        #expect(people.map { reader.key(of: $0) } == before)
        #expect(reader.count == 64)
    }
}

@Suite(.tags(.promise1)) struct `The file of keys after a crash` {
    /// Promise 7: what was acknowledged is kept, wherever the write that followed was cut off.
    @Test func `opens with every key that was acknowledged, wherever the last write stopped`()
        throws
    {
        var keys = try Keys()
        let people = keys.people(6)
        do {
            let store = try keys.open()
            try store.create(people[..<3])
            try store.create(people[3...])
        }
        let whole = try keys.bytes
        for length in (4 * 128)...whole.count {
            try keys.write(Array(whole[..<length]))
            let store = try keys.open()
            #expect(people[..<3].allSatisfy { store.key(of: $0) != nil })
            try store.create(people)
            #expect(store.count == 6)
        }
    }

    @Test func `opens when it was being created`() throws {
        let keys = try Keys()
        _ = try keys.open()
        let header = try keys.bytes
        for length in 0..<header.count {
            try keys.write(Array(header[..<length]))
            #expect(try keys.open().count == 0)
            #expect(try keys.bytes.count == 128)
        }
    }

    @Test func `passes over slots of the last batch that never reached the disk`() throws {
        var keys = try Keys()
        let people = keys.people(6)
        do {
            let store = try keys.open()
            try store.create(people[..<2])
            try store.create(people[2...])
        }
        var torn = try keys.bytes
        // Slots 3 and 4 begin the batch; 5 and 6 behind them did reach the disk.
        for index in (3 * 128)..<(5 * 128) { torn[index] = 0 }
        try keys.write(torn)
        var store: KeyStore? = try keys.open()
        #expect(store?.count == 4)
        try store?.create(people)
        store = nil
        #expect(try keys.open().count == 6)
    }

    @Test func `reports a slot that is damaged though it was acknowledged`() throws {
        var keys = try Keys()
        let people = keys.people(3)
        do {
            let store = try keys.open()
            for person in people { try store.create(person) }
        }
        let whole = try keys.bytes
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<200 {
            var damaged = whole
            let offset = Int.random(in: 128..<(3 * 128), using: &generator)
            damaged[offset] ^= 1 << Int.random(in: 0..<8, using: &generator)
            try keys.write(damaged)
            #expect(throws: SealingError.damagedSlot(offset / 128, keys.file)) { try keys.open() }
        }
    }

    @Test func `finds a key that swapped places with another`() throws {
        var keys = try Keys()
        do { try keys.open().create(keys.people(2)) }
        var swapped = try keys.bytes
        // The checksum alone would not notice a slot that was copied over another one.
        swapped.replaceSubrange(128..<256, with: swapped[256..<384])
        try keys.write(swapped)
        #expect(throws: SealingError.damagedSlot(2, keys.file)) { try keys.open() }
    }

    @Test func `has the key of every create that returned before the process was killed`()
        async throws
    {
        var keys = try Keys()
        let people = keys.people(2)
        let masterFile = keys.folder.url.appending(path: "master")
        let master = try MasterKey.create(at: masterFile)
        _ = try KeyStore.open(at: keys.file, masterKey: master)
        let told = ["\(people[0])", "\(people[1])", keys.file.path, masterFile.path]
        await #expect(processExitsWith: .signal(SIGKILL)) { [told = told as [String]] in
            let store = try KeyStore.open(
                at: URL(filePath: told[2]),
                masterKey: MasterKey.read(from: URL(filePath: told[3]))
            )
            let erased = try #require(PersonID(told[1]))
            try store.create(try #require(PersonID(told[0])))
            try store.create(erased)
            try store.destroy(erased)
            kill(getpid(), SIGKILL)
        }
        let store = try KeyStore.open(at: keys.file, masterKey: master)
        #expect(store.key(of: people[0]) != nil)
        #expect(store.isDestroyed(people[1]))
    }
}
