// SPDX-License-Identifier: Apache-2.0
public import Events

/// Turns events into the rows of one read model.
///
/// A projector is a value without memory: what it needs to know later it writes into its tables. It sees every
/// committed event of its kinds once, in log order, and cannot refuse one. It must not read the clock, chance, or
/// anything outside the event and its own tables, so that a rebuild ends in the same rows.
public protocol Projector: Sendable {
    /// The permanent name and version; a new shape of the rows gets a new version.
    var identity: ProjectorIdentity { get }
    /// The tables that make up the read model, all of them covered by its digest.
    var tables: [Table] { get }
    /// Full-text tables beside them, derived and not covered by the digest.
    var searchTables: [SearchTable] { get }
    /// What it does with each kind.
    var handlers: Handlers { get }
    /// The kinds that it is given: by default those of its handlers. All others are skipped without being decoded.
    var kinds: Set<Kind> { get }
    /// Maps one event to rows: by default as its handlers do.
    ///
    /// - Parameters:
    ///   - event: A committed event of one of the kinds.
    ///   - rows: The tables, inside the transaction that also commits the progress.
    func apply(_ event: RecordedEvent, to rows: RowWriter)
}

extension Projector {
    public var searchTables: [SearchTable] { [] }
    public var kinds: Set<Kind> { handlers.kinds }

    public func apply(_ event: RecordedEvent, to rows: RowWriter) {
        handlers.apply(event, to: rows)
    }

    /// Whether any of its columns holds a personal value in the clear.
    var holdsOpened: Bool { !searchTables.isEmpty || tables.contains { !$0.opened.isEmpty } }
}

/// A projector's permanent name with its version: `operator-desk/3`.
public struct ProjectorIdentity: Hashable, Sendable, CustomStringConvertible {
    /// Lower-case words with dashes, never reused for something else.
    public let name: String
    /// From 1; another version is another file.
    public let version: Int

    public init(_ name: String, version: Int) {
        precondition(
            !name.isEmpty && name.utf8.allSatisfy { $0 == 45 || (97...122).contains($0) },
            "\(name) is no projector name: lower-case words with dashes"
        )
        self.name = name
        self.version = version
    }

    public var description: String { "\(name)/\(version)" }
    /// What its files begin with: `operator-desk-3`.
    var fileStem: String { "\(name)-\(version)" }
}
