// SPDX-License-Identifier: Apache-2.0
public import Events

/// Somebody reports an animal, and an agency gets the report; the reporter's key must exist before.
public struct SubmitReport: Command {
    public let reporter: PersonID
    public let fix: Fix
    public let species: String
    public let sizeClass: ReportSubmitted.SizeClass
    public let condition: ReportSubmitted.Condition
    public let notes: String?
    public let contact: String?
    public let photos: [SHA256Digest]
    /// Which agency gets it; `nil` where none takes reports.
    public var assignment: ReportAssigned?
    /// Whether the reporter agrees that everybody may see the photos.
    public let publishesPhotos: Bool

    public init(
        by reporter: PersonID,
        at fix: Fix,
        species: String,
        sizeClass: ReportSubmitted.SizeClass,
        condition: ReportSubmitted.Condition,
        notes: String? = nil,
        contact: String? = nil,
        photos: [SHA256Digest] = [],
        assignment: ReportAssigned? = nil,
        publishesPhotos: Bool = false
    ) {
        self.reporter = reporter
        self.fix = fix
        self.species = species
        self.sizeClass = sizeClass
        self.condition = condition
        self.notes = notes
        self.contact = contact
        self.photos = photos
        self.assignment = assignment
        self.publishesPhotos = publishesPhotos
    }

    /// The report's id.
    public typealias Outcome = ReportID

    /// Why it was not taken.
    public enum Refusal: CommandRefusal {
        case personErased(PersonID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .personErased(let person): .personErased(person, attempt: "reporting")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .person(reporter) }

    public func read(_ ledger: inout LedgerView) throws -> Person {
        try ledger.read(Person.self, reporter)
    }

    public func decide(
        _ state: Person,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        try check()
        guard !state.isErased else { throw .personErased(reporter) }
        let submitted = ReportSubmitted(
            reporter: reporter,
            fix: .open(fix, of: reporter),
            species: species,
            sizeClass: sizeClass,
            condition: condition,
            notes: notes.map { .open($0, of: reporter) },
            contact: contact.map { .open($0, of: reporter) },
            photos: photos
        )
        let id: ReportID = context.newID()
        var writes = [Write.report(id, .submitted(submitted))]
        if let assignment { writes.append(.report(id, .assigned(assignment))) }
        if publishesPhotos {
            let consent = ReportVisibilitySet(of: .reporterPhotos, isPublic: true)
            writes.append(.report(id, .visibilitySet(consent)))
        }
        return .record(writes)
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(ReportSubmitted.self).flatMap { ReportID(String($0.subject.name)) }
    }

    /// Refuses what could never be taken: ask before an agency is chosen by the place.
    public func check() throws(Refusal) {
        try InputFault.check(fix, else: Refusal.unacceptable)
        try InputFault.check(
            name: species,
            "species",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        for (field, text) in [("notes", notes), ("contact", contact)] {
            try InputFault.check(
                optional: text,
                field,
                bytesMax: CommandLimits.noteBytesMax,
                else: Refusal.unacceptable
            )
        }
        try InputFault.check(
            photos.count <= CommandLimits.photosMax,
            "photos",
            photos.count,
            allowed: "at most \(CommandLimits.photosMax)",
            else: Refusal.unacceptable
        )
    }
}
