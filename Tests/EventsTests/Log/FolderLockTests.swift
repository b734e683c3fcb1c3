// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Events

@Suite struct `The lock of a folder` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A copy of the open lock file, as a child has it between its fork and the start of its own program.
    private func copyOfChild() throws -> Int32 {
        let path = folder.url.appending(path: "lock").resolvingSymlinksInPath().path
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let number = try #require(
            numbers.first {
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\($0)"
                )
                return target == path
            }
        )
        return dup(try #require(Int32(number)))
    }

    @Test func `is refused while another holds it`() throws {
        let lock = try FolderLock(folder.url)
        #expect(FolderLock.isHeld(folder.url))
        #expect(throws: EventLogError.self) { try FolderLock(folder.url) }
        lock.release()
        #expect(!FolderLock.isHeld(folder.url))
    }

    @Test func `is free once it is released, also while a forked child has a copy of it`() throws {
        let lock = try FolderLock(folder.url)
        let copy = try copyOfChild()
        defer { close(copy) }
        lock.release()
        #expect(!FolderLock.isHeld(folder.url))
        try FolderLock(folder.url).release()
    }
}
