// SPDX-License-Identifier: Apache-2.0

/// What can happen to a call-out of staff, to the chains and rotas that say whom it calls, and to the ways by which they are told.
public enum CallOutEvent: EventFamily {
    case rotaDefined(RotaDefined)
    case chainDefined(ChainDefined)
    case opened(CallOutOpened)
    case escalated(CallOutEscalated)
    case ended(CallOutEnded)
    case reachSet(ReachSet)
    case browserSet(BrowserSet)

    public static let kinds: [any EventPayload.Type] = [
        RotaDefined.self, ChainDefined.self, CallOutOpened.self, CallOutEscalated.self,
        CallOutEnded.self, ReachSet.self, BrowserSet.self,
    ]

    public var fact: Fact { .callOut(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .rotaDefined(let payload): payload
        case .chainDefined(let payload): payload
        case .opened(let payload): payload
        case .escalated(let payload): payload
        case .ended(let payload): payload
        case .reachSet(let payload): payload
        case .browserSet(let payload): payload
        }
    }
}

/// Who is on duty when, one after the other, was set up or changed.
public struct RotaDefined: EventPayload {
    public static let row = EventKind(
        "rota.defined/1",
        CallOutEvent.rotaDefined,
        audience: .desk,
        desk: true
    )

    public let name: String
    /// In the order of their shifts.
    public let members: [UserID]
    /// Of the tz database: `Europe/Berlin`.
    public let timeZone: String
    /// The day of the first member's first shift: `2026-03-23`.
    public let startsOn: String
    /// When one hands over to the next, local time in minutes since midnight, ascending.
    public let handovers: [Int]
    /// Handovers are on each n-th day from the first on.
    public let everyDays: Int
    /// Whether it is used no more.
    public let isRetired: Bool

    public init(
        name: String,
        members: [UserID],
        timeZone: String,
        startsOn: String,
        handovers: [Int],
        everyDays: Int,
        isRetired: Bool = false
    ) {
        self.name = name
        self.members = members
        self.timeZone = timeZone
        self.startsOn = startsOn
        self.handovers = handovers
        self.everyDays = everyDays
        self.isRetired = isRetired
    }

    public var links: [SubjectLink] { [] }
}

/// Whom a call-out calls, step by step, was set up or changed; call-outs that go on keep what they began with.
public struct ChainDefined: EventPayload {
    public static let row = EventKind(
        "chain.defined/1",
        CallOutEvent.chainDefined,
        audience: .desk,
        desk: true
    )

    public let name: String
    /// What opens a call-out by itself.
    public let opensFor: [Trigger]
    public let steps: [CallOutStep]
    /// Whether it is used no more.
    public let isRetired: Bool

    public init(name: String, opensFor: [Trigger], steps: [CallOutStep], isRetired: Bool = false) {
        self.name = name
        self.opensFor = opensFor
        self.steps = steps
        self.isRetired = isRetired
    }

    public var links: [SubjectLink] { [] }

    /// What opens a call-out by itself.
    public enum Trigger: String, Codable, Hashable, Sendable, CaseIterable {
        /// A guard's alarm that nobody has taken up.
        case guardAlarm = "guard_alarm"
    }
}

/// Whom one step calls, and how long it waits for an answer.
public struct CallOutStep: Codable, Hashable, Sendable {
    public let targets: [Target]
    public let waitSeconds: Int

    public init(targets: [Target], waitSeconds: Int) {
        self.targets = targets
        self.waitSeconds = waitSeconds
    }

    /// One of: a person, who is on duty by a rota, everybody of a role.
    public struct Target: Codable, Hashable, Sendable {
        public let user: UserID?
        public let rota: String?
        public let role: Role?

        public init(user: UserID? = nil, rota: String? = nil, role: Role? = nil) {
            self.user = user
            self.rota = rota
            self.role = role
        }
    }
}

/// Staff are called for something, step by step until somebody answers.
public struct CallOutOpened: EventPayload {
    public static let row = EventKind(
        "call_out.opened/1",
        CallOutEvent.opened,
        audience: .desk,
        desk: true,
        timeline: true,
        summary: [
            .init("chain", \.chain), .init("severity", \.severity), .init("text", \.text),
        ]
    )

    public let chain: String
    /// What it is about; `nil` where that stands in its words alone.
    public let cause: Subject?
    public let severity: AlertQueued.Severity
    /// In the words of who called, and theirs to be forgotten with.
    public let text: Sealed<String>?
    /// As the chain had them.
    public let steps: [CallOutStep]

    public init(
        chain: String,
        cause: Subject?,
        severity: AlertQueued.Severity,
        text: Sealed<String>?,
        steps: [CallOutStep]
    ) {
        self.chain = chain
        self.cause = cause
        self.severity = severity
        self.text = text
        self.steps = steps
    }

    public var links: [SubjectLink] {
        (cause.map { [.about($0)] } ?? []) + (text.map { [.owner(.person($0.person))] } ?? [])
    }
}

/// A step of a call-out begins: these people are told.
public struct CallOutEscalated: EventPayload {
    public static let row = EventKind(
        "call_out.escalated/1",
        CallOutEvent.escalated,
        audience: .desk,
        desk: true,
        timeline: true,
        summary: [
            .init("step", \.step), .init("people", \.people.count), .init("cause", \.cause),
        ]
    )

    /// From 1.
    public let step: Int
    public let people: [UserID]
    public let cause: Cause
    /// When the next step is due, or the call-out ends unanswered.
    public let until: Timestamp

    public init(step: Int, people: [UserID], cause: Cause, until: Timestamp) {
        self.step = step
        self.people = people
        self.cause = cause
        self.until = until
    }

    public var links: [SubjectLink] { people.map { .member(.user($0)) } }

    /// Why it begins.
    public enum Cause: String, Codable, Hashable, Sendable, CaseIterable {
        case opening
        /// Nobody answered the step before.
        case timeout
        /// Somebody did not want to wait.
        case manual
    }
}

/// A call-out is over: nobody is told of it any more.
public struct CallOutEnded: EventPayload {
    public static let row = EventKind(
        "call_out.ended/1",
        CallOutEvent.ended,
        audience: .desk,
        desk: true,
        lowDisk: .take,
        timeline: true,
        linksDigest: 0xB9F8_047F,
        summary: [.init("end", \.end), .init("by", \.by), .init("reason", \.reason)]
    )

    public let end: End
    /// Who answered or ended it.
    public let by: UserID?
    /// In the words of who cancelled it, and theirs to be forgotten with.
    public let reason: Sealed<String>?

    public init(_ end: End, by: UserID?, reason: Sealed<String>? = nil) {
        self.end = end
        self.by = by
        self.reason = reason
    }

    public var links: [SubjectLink] {
        (by.map { [.member(.user($0))] } ?? [])
            + (reason.map { [.owner(.person($0.person))] } ?? [])
    }

    /// How it ended.
    public enum End: String, Codable, Hashable, Sendable, CaseIterable {
        /// Somebody who was called has it.
        case acknowledged
        /// Nobody answered the last step.
        case exhausted
        case cancelled
        /// What it was about is over, such as an alarm that was taken up at the desk.
        case resolved
    }
}
