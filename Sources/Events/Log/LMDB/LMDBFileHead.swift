// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What the two meta pages at the head of a `data.mdb` say, read without mapping the file.
///
/// A mapped file that is shorter than its meta pages say kills whoever touches the missing pages (SIGBUS); so whoever
/// opens a file that somebody else may have cut compares first. The layout is that of LMDB 0.9 on 64-bit machines.
public struct LMDBFileHead: Hashable, Sendable {
    /// Bytes of a page.
    public let pageBytes: UInt64
    /// Pages that the newest commit uses.
    public let pageCount: UInt64
    /// The number of the newest commit.
    public let transaction: UInt64
    /// Bytes of the file.
    public let fileBytes: UInt64

    /// Bytes that the newest commit needs.
    public var neededBytes: UInt64 {
        let (bytes, overflow) = pageBytes.multipliedReportingOverflow(by: pageCount)
        return overflow ? .max : bytes
    }
    /// Pages that are needed and not there.
    public var missingPages: UInt64 {
        guard neededBytes > fileBytes else { return 0 }
        return (neededBytes - fileBytes - 1) / pageBytes + 1
    }
    /// Whether everything is there that the newest commit wrote.
    public var isWhole: Bool { missingPages <= LogLimits.unwrittenPagesMax }

    /// Refuses a file that is unreadable, no LMDB, or shorter than its meta pages say.
    ///
    /// For whoever maps it in a process that must live.
    ///
    /// - Throws: ``EventLogError/cannotOpen(path:reason:)``.
    static func check(_ file: URL) throws(EventLogError) {
        let head: LMDBFileHead?
        do {
            head = try read(file)
        } catch {
            throw .cannotOpen(path: file.path, reason: error.localizedDescription)
        }
        guard let head else {
            throw .cannotOpen(
                path: file.path,
                reason: "its first pages are not those of an LMDB file; run daybook verify"
            )
        }
        guard head.isWhole else {
            throw .cannotOpen(
                path: file.path,
                reason:
                    "it has \(head.fileBytes) bytes where its newest commit needs \(head.neededBytes); run daybook verify, then restore it from a backup"
            )
        }
    }

    /// Reads the head of a file.
    ///
    /// - Returns: `nil` if no meta page is one of LMDB.
    /// - Throws: What reading the file throws.
    public static func read(_ file: URL) throws -> LMDBFileHead? {
        let handle = try FileHandle(forReadingFrom: file)
        defer { _ = try? handle.close() }
        let head = [UInt8](try handle.read(upToCount: 2 * Int(pageBytesMax)) ?? Data())
        let fileBytes = try handle.seekToEnd()
        let first = meta(head, at: 0)
        // The second meta page stands one page behind; without a readable first one the usual sizes are tried.
        let sizes: [UInt64] = first.map { [$0.pageBytes] } ?? [4_096, 8_192, 16_384, 65_536]
        var metas = sizes.compactMap { meta(head, at: Int($0)) }
        if let first { metas.append(first) }
        guard let newest = metas.max(by: { $0.transaction < $1.transaction }) else { return nil }
        return LMDBFileHead(
            pageBytes: newest.pageBytes,
            pageCount: newest.lastPage &+ 1,
            transaction: newest.transaction,
            fileBytes: fileBytes
        )
    }

    private static let pageBytesMax: UInt64 = 65_536

    private typealias Meta = (pageBytes: UInt64, lastPage: UInt64, transaction: UInt64)

    private static func meta(_ bytes: [UInt8], at page: Int) -> Meta? {
        guard page + 152 <= bytes.count else { return nil }
        return bytes.withUnsafeBytes { bytes -> Meta? in
            let magic = bytes.loadUnaligned(fromByteOffset: page + 16, as: UInt32.self)
            let version = bytes.loadUnaligned(fromByteOffset: page + 20, as: UInt32.self)
            let pageBytes = bytes.loadUnaligned(fromByteOffset: page + 40, as: UInt32.self)
            guard magic == 0xBEEF_C0DE, version & 0x7FFF_FFFF == 1, pageBytes.nonzeroBitCount == 1,
                512...pageBytesMax ~= UInt64(pageBytes)
            else { return nil }
            return (
                UInt64(pageBytes),
                bytes.loadUnaligned(fromByteOffset: page + 136, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: page + 144, as: UInt64.self)
            )
        }
    }
}
