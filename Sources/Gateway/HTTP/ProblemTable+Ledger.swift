// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Projections

/// What the parts below the gateway say, as a client reads it; one line for each case.
extension Problem {
    /// A refusal of a command: its slug is the type, its category the status.
    init(refusal: Commands.Problem) {
        self.init(
            ProblemType(
                refusal.slug,
                refusal.category.status,
                refusal.slug.prefix(1).uppercased()
                    + refusal.slug.dropFirst().replacing("-", with: " ")
            ),
            detail: refusal.detail,
            facts: refusal.facts.mapValues(ProblemFact.string)
        )
    }
}

extension Commands.Problem.Category {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .unprocessable: .unprocessableContent
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .conflict: .conflict
        case .gone: .gone
        }
    }
}

extension CommandFault: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .busy: .tryLater(.unavailable, "\(self)")
        case .contended: .tryLater(.unavailable, "\(self)")
        case .idReused: Problem(.idempotencyKeyReused, detail: "\(self)")
        case .stale(let seen, let actual): .stale(seen, actual, detail: "\(self)")
        case .otherOrganisation: Problem(.conflict, detail: "\(self)")
        case .overBudget(_, let wait): .overBudget("\(self)", wait: wait)
        }
    }
}

extension EventLogError: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .stale, .linked: Problem(.conflict, detail: "\(self)")
        case .idReused: Problem(.idempotencyKeyReused, detail: "\(self)")
        case .unacceptable: Problem(.eventUnacceptable, detail: "\(self)")
        case .tooLarge(_, _, let limit): .bodyTooLarge(limit: limit)
        case .full, .reserved: Problem(.storageFull, detail: "\(self)")
        case .busy: .tryLater(.unavailable, "\(self)")
        case .outcomeUnknown, .poisoned: Problem(.outcomeUnknown, detail: "\(self)")
        case .readOnly: Problem(.ledgerReadOnly, detail: "\(self)")
        case .elsewhere:
            // Where this machine keeps its files is not for everybody.
            .tryLater(
                .unavailable,
                "another folder stands where the ledger's was, so nothing was recorded: whoever runs the gateway puts it back, or restarts the gateway; keep what was to be sent and send it again"
            )
        case .closed: .tryLater(.unavailable, "the gateway is stopping; repeat")
        case .cannotOpen, .damaged, .unreadable: Problem(.ledgerDamaged)
        }
    }
}

extension ReadModelError: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .building(_, let done, let total):
            .tryLater(
                .readModelBuilding,
                "\(self)",
                facts: ["done": .integer(Int(done)), "of": .integer(Int(total))]
            )
        case .behind(_, let asked, let reached):
            .tryLater(
                .readModelBehind,
                "\(self)",
                facts: ["asked": .string("\(asked)"), "reached": .string("\(reached)")]
            )
        case .unknown: Problem(.notFound, detail: "\(self)")
        case .damaged, .unreadable: Problem(.readModelDamaged)
        }
    }
}

extension SealingError: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .destroyed(let person):
            Problem(
                .personErased,
                detail: "the person was erased; begin with a new person",
                facts: ["person": .string("\(person)")]
            )
        case .full: Problem(.storageFull, detail: "no room for another key; make room, then repeat")
        case .malformed, .otherSecret, .damaged, .unreadable: Problem(.ledgerDamaged)
        case .masterKeyMissing, .masterKeyMalformed, .masterKeyExists, .notAKeyStore,
            .wrongMasterKey, .damagedSlot, .inUse, .readOnly, .system:
            Problem(.internalError, detail: "the file of keys cannot be used; see the log")
        }
    }
}

extension CaseTooLarge: ProblemRepresentable {
    var problem: Problem { Problem(.caseTooLarge, detail: "\(self)") }
}

extension EventDecodingError: ProblemRepresentable {
    var problem: Problem { Problem(.ledgerDamaged) }
}

extension ProjectionError: ProblemRepresentable {
    var problem: Problem {
        switch self {
        case .logTooShort: Problem(.notFound, detail: "\(self)")
        case .notStored, .cannotOpen, .damaged, .unknownKind: Problem(.readModelDamaged)
        }
    }
}

extension ProblemType {
    static let staleRevision = Self(
        "stale-revision",
        .preconditionFailed,
        "Decided on an old revision"
    )
    static let eventUnacceptable = Self(
        "event-unacceptable",
        .unprocessableContent,
        "Event cannot be recorded"
    )
    static let caseTooLarge = Self(
        "case-too-large",
        .unprocessableContent,
        "Too many events to show as of an earlier time"
    )
    static let storageFull = Self(
        "storage-full",
        HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
        "No room"
    )
    static let outcomeUnknown = Self(
        "outcome-unknown",
        .serviceUnavailable,
        "Outcome unknown: repeat with the same key"
    )
    static let ledgerReadOnly = Self(
        "ledger-read-only",
        .serviceUnavailable,
        "The ledger takes nothing"
    )
    static let ledgerDamaged = Self(
        "ledger-damaged",
        .internalServerError,
        "The ledger cannot be read: run daybook verify"
    )
    static let readModelBuilding = Self(
        "read-model-building",
        .serviceUnavailable,
        "Read model is being built"
    )
    static let readModelBehind = Self(
        "read-model-behind",
        .serviceUnavailable,
        "Read model is behind"
    )
    static let readModelDamaged = Self(
        "read-model-damaged",
        .internalServerError,
        "Read model cannot be read: rebuild it"
    )
    static let personErased = Self("person-erased", .gone, "Person erased")
}

extension Problem {
    /// `If-Match` named another revision than the subject's.
    fileprivate static func stale(
        _ seen: SeenRevision,
        _ actual: Revision?,
        detail: String
    ) -> Problem {
        var facts: [String: ProblemFact] = [
            "subject": .string(seen.subject.text), "expected": .string("\(seen.revision)"),
        ]
        facts["actual"] = actual.map { .string("\($0)") }
        return Problem(.staleRevision, detail: detail, facts: facts)
    }

    /// Something that is over soon: the client should simply come again.
    static func tryLater(
        _ type: ProblemType,
        _ detail: String,
        facts: [String: ProblemFact] = [:]
    ) -> Problem {
        Problem(type, detail: detail, facts: facts, headers: [.retryAfter: "1"])
    }
}
