// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation
public import Projections

/// What takes pages of events into a file: the part whose promises ``ProjectorChecker`` tries.
public protocol PageWriter {
    /// Opens or creates the file.
    init(_ projector: any Projector, at file: URL, keys: any PersonKeys) throws
    /// The first position that the rows do not stand for.
    func next() throws -> LogPosition
    /// Takes a page; what it stands for already is left out.
    func apply(_ page: EventPage) throws
    /// What the tables hold.
    func digest() throws -> SHA256Digest
    /// Lets go of the file.
    func close() throws
}

/// The writer that runners use.
public struct ProjectionWriter: PageWriter {
    private let file: ProjectionFile

    public init(_ projector: any Projector, at file: URL, keys: any PersonKeys) throws {
        self.file = try ProjectionFile(
            projector,
            at: file,
            mode: .serving,
            origin: EventScript.origin,
            keys: keys
        )
    }

    public func next() -> LogPosition { file.progress().next }

    public func apply(_ page: EventPage) throws {
        _ = try file.apply(page)
    }

    public func digest() throws -> SHA256Digest { try file.digest().digest }

    public func close() throws {
        try file.close()
    }
}
