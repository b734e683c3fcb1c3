// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Events

/// An entry of a ledger that nobody serves, changed by somebody who can write the folder.
struct DamagedEntry {
    private let folder: URL
    private let place: LogPosition
    private let bytes: [UInt8]

    /// Changes an entry, so that it is not the one that was committed.
    init(at place: LogPosition, in folder: TemporaryFolder) throws {
        try self.init(at: place, in: folder) { bytes in
            let name = try #require(bytes.firstRange(of: Array("\"org\":\"main\"".utf8)))
            bytes[name.upperBound - 2] = UInt8(ascii: "m")
        }
    }

    /// Flips a bit of an entry, so that its bytes are none any more.
    init(breaking place: LogPosition, in folder: TemporaryFolder) throws {
        try self.init(at: place, in: folder) { bytes in bytes[1] ^= 1 }
    }

    private init(
        at place: LogPosition,
        in folder: TemporaryFolder,
        _ change: (inout [UInt8]) throws -> Void
    ) throws {
        self.folder = folder.url.appending(path: "ledger")
        self.place = place
        let store = try Self.store(of: self.folder)
        defer { store.environment.close() }
        bytes = try #require(try store.bytes(at: place))
        var changed = bytes
        try change(&changed)
        try Self.put(changed, at: place, in: store)
    }

    /// Writes an entry behind the end, so that those between are missing.
    static func leaveGap(in folder: TemporaryFolder) throws {
        let store = try store(of: folder.url.appending(path: "ledger"))
        defer { store.environment.close() }
        let size = try store.size()
        let last = try #require(try store.bytes(at: LogPosition(size - 1)))
        try put(last, at: LogPosition(size + 2), in: store)
    }

    /// Puts the entry back as it was.
    func restore() throws {
        let store = try Self.store(of: folder)
        defer { store.environment.close() }
        try Self.put(bytes, at: place, in: store)
    }

    private static func store(of folder: URL) throws -> EntryStore {
        try EntryStore(
            path: folder.appending(path: "log").path,
            access: .readWrite,
            map: MapSize(bytes: 1 << 30)
        )
    }

    private static func put(
        _ bytes: [UInt8],
        at place: LogPosition,
        in store: EntryStore
    ) throws {
        let transaction = try store.environment.beginWrite()
        let table = try transaction.table("entries", [.integerKey])
        try withKey(place.rawValue) { key throws(LMDBError) in
            try bytes.withUnsafeBufferPointer { value throws(LMDBError) in
                try transaction.put(table, key, UnsafeRawBufferPointer(value))
            }
        }
        try transaction.commit()
    }
}
