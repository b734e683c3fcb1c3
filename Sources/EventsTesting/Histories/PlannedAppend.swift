// SPDX-License-Identifier: Apache-2.0
public import Events

/// What one command of a made-up history appends: all or nothing, as through the log.
public struct PlannedAppend: Sendable {
    /// When it happens.
    public let time: Timestamp
    /// Who asks for it.
    public let stamp: CommandStamp
    /// The events, by subject.
    public let writes: [SubjectWrite]
    /// People whom nothing named before: their keys must be created first.
    public let newPeople: [PersonID]

    /// The events of all subjects.
    public var events: [Event] { writes.flatMap(\.events) }
}
