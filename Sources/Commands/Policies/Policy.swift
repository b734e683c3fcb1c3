// SPDX-License-Identifier: Apache-2.0
public import Events

/// A policy's numbers, as they were set last; none before it was enabled.
public struct Policy: Fold {
    /// The policy's name.
    public let id: String
    public private(set) var isEnabled = false
    public private(set) var settings: [String: Int] = [:]

    /// The policy that ends sessions in which nothing starts, by `limitSeconds`.
    public static let startLimit = "start-limit"
    /// The policy that gives unattended sessions free to others, after `takeOverSeconds`.
    public static let unattended = "unattended"

    /// The policy that says whether callers show video unasked, by `anytime` (ruling 35).
    public static let callerVideo = "caller-video"

    /// Whether callers may show video wherever they have a session.
    ///
    /// Before the policy was known they could.
    static func callerFilmsAnytime(_ ledger: inout LedgerView) throws -> Bool {
        try ledger.read(Policy.self, callerVideo).settings["anytime"] ?? 1 == 1
    }

    public init(_ id: String) {
        self.id = id
    }

    public static func source(of id: String) -> FoldSource { .subject(.policy(id)) }

    /// Takes in an event of the policy's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .policy(let fact) = event.fact else { return }
        switch fact {
        case .enabled(let enabled): (isEnabled, settings) = (true, enabled.settings)
        }
    }
}
