// SPDX-License-Identifier: Apache-2.0
public import Events

/// A report of a stranded or hurt animal, and how far it has come.
public struct Report: Fold {
    public let id: ReportID
    public private(set) var reporter: PersonID?
    /// `nil` before it was submitted.
    public private(set) var status: ReportStatus?
    /// The event that submitted it, and what it is about.
    public private(set) var cause: Cause?
    public private(set) var submitted: ReportSubmitted?
    /// How it went, oldest first.
    public private(set) var steps: [Step] = []
    /// The agency that has it, and since which event.
    public private(set) var assignment: Assignment?
    /// Every agency that had it.
    public private(set) var agencies: Set<AgencyID> = []
    /// The reporter's photos by their numbers.
    public private(set) var photos: [Int: SHA256Digest] = [:]
    /// All photos, those of staff among them.
    public private(set) var photoCount = 0
    public private(set) var updateCount = 0
    /// The photos that staff took.
    public private(set) var staffPhotos: Set<SHA256Digest> = []
    /// The report that goes on for both, where this one is about the same animal.
    public private(set) var joinedTo: ReportID?
    /// The incident that it belongs to.
    public private(set) var incident: IncidentID?
    /// Every incident that it ever belonged to.
    public private(set) var incidents: Set<IncidentID> = []
    /// What the public may see, as it was set last.
    public private(set) var visibility: [Visible: Bool] = [:]

    /// What is shown to the public or not.
    public struct Visible: Hashable, Sendable {
        let part: ReportVisibilitySet.Part
        let photo: SHA256Digest?
    }

    /// One change of its status.
    public struct Step: Hashable, Sendable {
        public let from: ReportStatus
        public let to: ReportStatus
        public let at: Timestamp
    }

    /// That an agency has the report.
    public struct Assignment: Hashable, Sendable {
        public let fact: ReportAssigned
        public let cause: Cause
    }

    public init(_ id: ReportID) {
        self.id = id
    }

    public static func source(of id: ReportID) -> FoldSource { .subject(.report(id)) }

    /// Takes in an event of the report's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .report(let fact) = event.fact else { return }
        switch fact {
        case .submitted(let submitted):
            (reporter, status) = (submitted.reporter, .submitted)
            (cause, self.submitted) = (Cause(event.envelope), submitted)
        case .statusChanged(let changed):
            status = changed.to
            steps.append(
                Step(from: changed.from, to: changed.to, at: event.envelope.time)
            )
        case .assigned(let assigned):
            assignment = Assignment(fact: assigned, cause: Cause(event.envelope))
            agencies.insert(assigned.agency)
        case .photoAdded(let added):
            photoCount += 1
            if let number = added.number {
                photos[number] = added.blob
            } else {
                staffPhotos.insert(added.blob)
            }
        case .updateAdded: updateCount += 1
        case .joined(let joined): joinedTo = joined.into
        case .separated: joinedTo = nil
        case .attached(let attached):
            incident = attached.incident
            incidents.insert(attached.incident)
        case .detached: incident = nil
        case .visibilitySet(let set):
            visibility[Visible(part: set.of, photo: set.photo)] = set.isPublic
        }
    }

    /// Whether nobody has anything more to do with it.
    public var isOver: Bool { status?.isFinal ?? false }
}

extension Report {
    /// Where it stood before the last step, which may have been a mistake.
    public var previous: ReportStatus? { steps.last?.from }

    /// Where it may go: on, back to where it was, and open again where it was over.
    func mayGo(to next: ReportStatus) -> Bool {
        status?.successors.contains(next) ?? false || next == previous
    }
}

extension ReportStatus {
    /// Where a report goes on from here (ruling 25); what is over can be taken up again.
    public var successors: [ReportStatus] {
        switch self {
        case .submitted: [.acknowledged, .stoodDown]
        case .acknowledged: [.headingOut, .stoodDown]
        case .headingOut: [.onScene, .stoodDown]
        case .onScene: [.rescued, .released, .deceased, .notFound]
        case .rescued, .released, .deceased, .notFound, .stoodDown: [.acknowledged]
        }
    }
}
