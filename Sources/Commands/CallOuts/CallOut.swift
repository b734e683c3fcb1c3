// SPDX-License-Identifier: Apache-2.0
public import Events

/// A call for staff, from its opening to an answer.
public struct CallOut: Fold {
    public let id: CallOutID
    /// `nil` before it was opened.
    public private(set) var opened: CallOutOpened?
    /// The event that opened it, and whose it is.
    public private(set) var cause: Cause?
    public private(set) var openedBy: Actor?
    /// The step that goes on, from 1; 0 before the first one.
    public private(set) var step = 0
    /// The steps that began, in order.
    public private(set) var begun: [Begun] = []
    /// When that step is over.
    public private(set) var until: Timestamp?
    public private(set) var ended: CallOutEnded?
    public private(set) var endedAt: Timestamp?

    /// A step that began.
    public struct Begun: Hashable, Sendable {
        public let escalated: CallOutEscalated
        public let cause: Cause
    }

    /// Whom the step that goes on called.
    public var people: [UserID] { begun.last?.escalated.people ?? [] }

    /// Everybody whom it called so far.
    public var called: Set<UserID> { Set(begun.flatMap(\.escalated.people)) }

    public init(_ id: CallOutID) {
        self.id = id
    }

    public static func source(of id: CallOutID) -> FoldSource { .subject(.callOut(id)) }

    /// Takes in an event of the call-out's subject.
    public mutating func apply(_ event: RecordedEvent) {
        switch event.fact {
        case .callOut(.opened(let opened)):
            self.opened = opened
            (cause, openedBy) = (Cause(event.envelope), event.envelope.actor)
        case .callOut(.escalated(let escalated)):
            (step, until) = (escalated.step, escalated.until)
            begun.append(Begun(escalated: escalated, cause: Cause(event.envelope)))
        case .callOut(.ended(let ended)) where self.ended == nil:
            (self.ended, endedAt) = (ended, event.envelope.time)
        default: break
        }
    }

    /// Whether somebody is still to answer it.
    public var isOpen: Bool { opened != nil && ended == nil }
}

/// Why a call-out did not go on.
public enum CallOutRefusal: CommandRefusal {
    case unknown(CallOutID)
    case unknownChain(String)
    case nobodyToCall(String)
    case ended(CallOutID, CallOutEnded)
    case noFurtherStep(CallOutID)
    case unacceptable(InputFault)

    public var problem: Problem {
        switch self {
        case .unknown(let id):
            Problem(
                .notFound,
                "call-out-unknown",
                "changing a call-out refused: there is no call-out \(id); look at the list",
                facts: ["callOut": "\(id)"]
            )
        case .unknownChain(let chain):
            Problem(
                .unprocessable,
                "chain-unknown",
                "calling out refused: there is no chain \(chain); choose one of the list",
                facts: ["chain": chain]
            )
        case .nobodyToCall(let chain):
            Problem(
                .conflict,
                "call-out-without-people",
                "calling out refused: chain \(chain) has nobody on duty at any step; call by telephone, "
                    + "and tell an administrator",
                facts: ["chain": chain]
            )
        case .ended(let id, let end):
            Problem(
                .conflict,
                "call-out-ended",
                "changing a call-out refused: \(id) is over (\(end.end.rawValue)\(end.by.map { ", by \($0)" } ?? "")); "
                    + "open a new one if there is need",
                facts: ["callOut": "\(id)", "end": end.end.rawValue]
            )
        case .noFurtherStep(let id):
            Problem(
                .conflict,
                "call-out-at-last-step",
                "going on refused: the last step of call-out \(id) goes on; call by telephone",
                facts: ["callOut": "\(id)"]
            )
        case .unacceptable(let fault): fault.problem
        }
    }
}

/// Calls staff for something, by a chain: the first step with anybody on duty begins.
public struct OpenCallOut: Command {
    public let chain: Chain.Key
    public let cause: Subject?
    public let severity: AlertQueued.Severity
    /// In the words of who calls.
    public let text: Sealed<String>?
    /// The people of each step who are on duty.
    public let people: [[UserID]]

    public init(
        by chain: Chain.Key,
        about cause: Subject?,
        severity: AlertQueued.Severity,
        text: Sealed<String>?,
        people: [[UserID]]
    ) {
        self.chain = chain
        self.cause = cause
        self.severity = severity
        self.text = text
        self.people = people
    }

    public typealias Outcome = CallOutID
    public typealias Refusal = CallOutRefusal

    public var subject: Subject { .chain(chain.name, of: chain.organisation) }

    /// Whose the cause is, whoever tells of it.
    public var owned: Subject? { cause }

    public func read(_ ledger: inout LedgerView) throws -> Chain {
        try ledger.read(Chain.self, chain)
    }

    public func decide(
        _ state: Chain,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Outcome> {
        guard let chain = state.definition else { throw .unknownChain(self.chain.name) }
        if case .open(let words, _) = text {
            try InputFault.check(
                words,
                "text",
                bytesMax: CommandLimits.noteBytesMax,
                else: Refusal.unacceptable
            )
        }
        guard let first = zip(chain.steps, people).enumerated().first(where: { !$1.1.isEmpty })
        else { throw .nobodyToCall(chain.name) }
        let (index, (step, people)) = first
        let opened = CallOutOpened(
            chain: chain.name,
            cause: cause,
            severity: severity,
            text: text,
            steps: chain.steps
        )
        let escalated = CallOutEscalated(
            step: index + 1,
            people: Array(people.prefix(CommandLimits.peoplePerStepMax)),
            cause: .opening,
            until: context.now + .seconds(step.waitSeconds)
        )
        let id: CallOutID = context.newID()
        return .record([.callOut(id, .opened(opened)), .callOut(id, .escalated(escalated))])
    }

    public func outcome(of recorded: [Write]) -> Outcome? {
        recorded.first(CallOutOpened.self).flatMap { CallOutID(String($0.subject.name)) }
    }
}

/// The next step of a call-out with anybody on duty begins; where there is none it ends unanswered.
public struct EscalateCallOut: Command {
    public let callOut: CallOutID
    /// The step behind which it goes on.
    public let step: Int
    public let cause: CallOutEscalated.Cause
    /// The people of each further step who are on duty.
    public let people: [[UserID]]

    public init(
        _ callOut: CallOutID,
        after step: Int,
        _ cause: CallOutEscalated.Cause,
        people: [[UserID]]
    ) {
        self.callOut = callOut
        self.step = step
        self.cause = cause
        self.people = people
    }

    public typealias Refusal = CallOutRefusal

    public var subject: Subject { .callOut(callOut) }

    public func read(_ ledger: inout LedgerView) throws -> CallOut {
        try ledger.read(CallOut.self, callOut)
    }

    public func decide(
        _ state: CallOut,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        let opened = try state.open()
        guard state.step == step else { return .already(()) }
        let next = zip(opened.steps.dropFirst(step), people).enumerated()
            .first { !$1.1.isEmpty }
        guard let (index, (further, people)) = next else {
            guard cause == .timeout else { throw .noFurtherStep(callOut) }
            return .record([.callOut(callOut, .ended(CallOutEnded(.exhausted, by: nil)))])
        }
        let escalated = CallOutEscalated(
            step: step + index + 1,
            people: Array(people.prefix(CommandLimits.peoplePerStepMax)),
            cause: cause,
            until: context.now + .seconds(further.waitSeconds)
        )
        return .record([.callOut(callOut, .escalated(escalated))])
    }
}

/// A call-out is over: somebody has it, nobody is needed any more, or what it was about is over.
public struct EndCallOut: Command {
    public let callOut: CallOutID
    public let end: CallOutEnded

    public init(
        _ callOut: CallOutID,
        _ end: CallOutEnded.End,
        by user: UserID?,
        because reason: Sealed<String>? = nil
    ) {
        self.callOut = callOut
        self.end = CallOutEnded(end, by: user, reason: reason)
    }

    public typealias Refusal = CallOutRefusal

    public var subject: Subject { .callOut(callOut) }

    public func read(_ ledger: inout LedgerView) throws -> CallOut {
        try ledger.read(CallOut.self, callOut)
    }

    public func decide(
        _ state: CallOut,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        if let ended = state.ended, ended.end == end.end, ended.by == end.by { return .already(()) }
        if case .open(let words, _) = end.reason {
            try InputFault.check(
                words,
                "reason",
                bytesMax: CommandLimits.noteBytesMax,
                else: Refusal.unacceptable
            )
        }
        _ = try state.open()
        return .record([.callOut(callOut, .ended(end))])
    }
}

extension CallOut {
    /// What opened it, if it goes on.
    func open() throws(CallOutRefusal) -> CallOutOpened {
        guard let opened else { throw .unknown(id) }
        if let ended { throw .ended(id, ended) }
        return opened
    }
}
