// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation

/// An incident, or a report, as the log recorded it: exactly the entries of its subjects, and those by which a subject left
/// it, each once, in their order.
///
/// What a subject does after it left the incident for good is not among them; what it did before it came is, and is marked.
public struct CaseTimeline: Codable, Sendable {
    /// Incident or report.
    public let root: String
    /// Everything that belongs to it.
    public let subjects: [String]
    /// How many entries the log had at the moment that is shown.
    public let size: UInt64
    public let entries: [CaseEntry]
    /// What the log had at that moment and nobody can read, where there is any.
    ///
    /// It may belong here.
    public let leftOut: [UnreadableEntries]?
    /// Why the log itself is less than there was, or more, as ``LogEnd`` says.
    public private(set) var fault: String?

    /// Whether everything is here that was recorded, as far as can be seen without verifying.
    public var isWhole: Bool { leftOut == nil && fault == nil }

    /// Reads a timeline out of a ledger's folder, beside whoever serves it.
    ///
    /// Believes no index: every entry is looked at once, so that nobody who edits `index/` leaves one out. What cannot be read
    /// is left out and named; it ends nothing.
    ///
    /// - Parameters:
    ///   - reference: The id of an incident, a session, a stream, an alert or a report.
    ///   - folder: The ledger's folder.
    ///   - moment: A position or an RFC 3339 time; `nil` for now.
    ///   - keys: Opens sealed fields; without it they are shown as sealed.
    ///   - fault: What ``LogEnd`` says of the log.
    /// - Returns: The timeline.
    /// - Throws: ``TimelineError``, `EventLogError`.
    public static func read(
        _ reference: String,
        from folder: URL,
        asOf moment: String? = nil,
        keys: (any PersonKeys)? = nil,
        fault: String? = nil
    ) throws -> CaseTimeline {
        let moment = try moment.map { text in
            guard let moment = LedgerMoment(text) else { throw TimelineError.notAMoment(text) }
            return moment
        }
        let ledger = try LedgerReader.open(folder, usingIndex: false, pastDamage: true)
        defer { ledger.close() }
        var timeline = try CaseTimeline(of: reference, in: ledger, asOf: moment, keys: keys)
        timeline.fault = fault
        return timeline
    }

    /// Reads a timeline out of a ledger.
    ///
    /// - Parameters:
    ///   - reference: The id of an incident, a session, a stream, an alert or a report; or `session/0199…`.
    ///   - ledger: The ledger.
    ///   - moment: Shows what was known then; `nil` for now.
    ///   - keys: Opens sealed fields; without it they are shown as sealed.
    /// - Throws: ``TimelineError``, `EventLogError`.
    public init(
        of reference: String,
        in ledger: LedgerReader,
        asOf moment: LedgerMoment? = nil,
        keys: (any PersonKeys)? = nil
    ) throws {
        let size = try moment?.size(in: ledger) ?? ledger.size()
        var cases = CaseSubjects(ledger, before: size)
        let root = try cases.root(of: reference)
        let members = try cases.members(of: root)
        var found: [(position: LogPosition, isEarlier: Bool)] = []
        for member in members {
            for position in try ledger.positions(of: member.subject)
            where position.rawValue < min(size, member.until)
                && (!member.isShared || member.has(position))
            {
                let isEarlier =
                    !member.has(position)
                    && !cases.departures.contains(position.rawValue)
                found.append((position, isEarlier))
            }
        }
        let told = Set(found.map(\.position.rawValue))
        found += cases.departures.subtracting(told).map { (LogPosition($0), false) }
        found.sort { $0.position < $1.position }
        var reading = CaseReading(ledger, keys)
        self.root = root.text
        self.subjects = members.map(\.subject.text)
        self.size = size
        var leftOut = try ledger.unreadableEntries().filter { $0.first < size }
        var entries: [CaseEntry] = []
        for (entry, place) in zip(try ledger.entries(at: found.map(\.position)), found) {
            do {
                entries.append(try reading.entry(entry, isEarlier: place.isEarlier))
            } catch {
                guard ledger.goesPastDamage else { throw error }
                leftOut.append(UnreadableEntries(place.position.rawValue, "\(error)"))
            }
        }
        self.entries = entries
        self.leftOut = leftOut.isEmpty ? nil : leftOut.sorted { $0.first < $1.first }
    }
}

/// One entry of a timeline.
public struct CaseEntry: Codable, Hashable, Sendable {
    public let position: UInt64
    public let subject: String
    public let revision: UInt64
    public let id: String
    public let kind: String
    public let actor: String
    /// When the server recorded it.
    public let time: String
    /// When the device says that it happened.
    public let occurredAt: String?
    /// Recorded minus claimed.
    public let skewMilliseconds: Int64?
    /// Which bytes of which file it speaks of.
    public let file: CaseFile?
    /// Present where it happened before its subject came to this case.
    public let isEarlier: Bool?
    /// What it says, value by value.
    public let says: [CaseValue]
}

/// A range of a file in the archive.
public struct CaseFile: Codable, Hashable, Sendable {
    /// Path below the media folder.
    public let name: String
    public let offset: Int?
    public let length: Int?
    public let firstMilliseconds: Int?
    public let lastMilliseconds: Int?
    /// What those bytes are, when the event says so.
    public let sha256: String?

    /// Whether the name leads nowhere but below the media folder; a forged log may name any file.
    static func isInside(_ name: String) -> Bool {
        !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
    }
}

/// A named value inside an event.
public struct CaseValue: Codable, Hashable, Sendable {
    /// How a value can be read.
    public enum State: String, Codable, Sendable {
        /// It never was sealed.
        case plain
        /// It was sealed and opened with a key.
        case opened
        /// It is sealed and this reader has no key.
        case sealed
        /// The person's key was destroyed.
        case erased
    }

    /// The names that lead to it, with dots: `fix.latitude`.
    public let name: String
    /// `nil` if it cannot be read.
    public let value: String?
    public let state: State
}
