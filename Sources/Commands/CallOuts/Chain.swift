// SPDX-License-Identifier: Apache-2.0
public import Events

/// Whom a call-out calls, step by step, as it was set up last.
public struct Chain: Fold {
    public typealias Key = Rota.Key

    public let id: Key
    /// `nil` before it was set up, and when it is used no more.
    public private(set) var definition: ChainDefined?

    public init(_ id: Key) {
        self.id = id
    }

    public static func source(of id: Key) -> FoldSource {
        .subject(.chain(id.name, of: id.organisation))
    }

    /// Takes in an event of the chain's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .callOut(.chainDefined(let defined)) = event.fact else { return }
        definition = defined.isRetired ? nil : defined
    }
}

/// Sets up whom a call-out calls, changes it, or gives it up.
public struct DefineChain: Command {
    public let organisation: OrganisationID
    public let definition: ChainDefined

    public init(_ definition: ChainDefined, of organisation: OrganisationID) {
        (self.definition, self.organisation) = (definition, organisation)
    }

    /// Why it was not set up.
    public enum Refusal: CommandRefusal {
        case notOfStaff(UserID)
        case unknownRota(String)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .notOfStaff(let user): .notOfStaff(user, attempt: "setting up the chain")
            case .unknownRota(let rota):
                Problem(
                    .unprocessable,
                    "rota-unknown",
                    "setting up the chain refused: there is no rota \(rota); set it up first",
                    facts: ["rota": rota]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .chain(definition.name, of: organisation) }

    /// What the decision goes by.
    public struct State {
        let chain: Chain
        let users: [UserID: User]
        let rotas: [String: Rota]
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        var (users, rotas): ([UserID: User], [String: Rota]) = ([:], [:])
        for target in definition.steps.prefix(CommandLimits.stepsPerChainMax)
            .flatMap({ $0.targets.prefix(CommandLimits.targetsPerStepMax) })
        {
            if let user = target.user { users[user] = try ledger.glance(User.self, user) }
            if let rota = target.rota {
                rotas[rota] = try ledger.glance(Rota.self, .init(rota, of: organisation))
            }
        }
        let chain = try ledger.read(Chain.self, .init(definition.name, of: organisation))
        return State(chain: chain, users: users, rotas: rotas)
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            definition.name.isPlainName,
            "name",
            definition.name,
            allowed: .plainName,
            else: Refusal.unacceptable
        )
        if !definition.isRetired { try checkSteps(state) }
        let isSame =
            definition.isRetired
            ? state.chain.definition == nil : state.chain.definition == definition
        guard !isSame else { return .already(()) }
        return .record([Write(subject, .callOut(.chainDefined(definition)))])
    }

    private func checkSteps(_ state: State) throws(Refusal) {
        let (steps, targets) = (CommandLimits.stepsPerChainMax, CommandLimits.targetsPerStepMax)
        try InputFault.check(
            (1...steps).contains(definition.steps.count),
            "steps",
            "\(definition.steps.count) steps",
            allowed: "1 to \(steps)",
            else: Refusal.unacceptable
        )
        for step in definition.steps {
            try InputFault.check(
                (1...targets).contains(step.targets.count),
                "targets",
                "\(step.targets.count) targets",
                allowed: "1 to \(targets)",
                else: Refusal.unacceptable
            )
            try InputFault.check(
                CommandLimits.stepWaitSeconds.contains(step.waitSeconds),
                "waitSeconds",
                step.waitSeconds,
                allowed: "30 to 86400",
                else: Refusal.unacceptable
            )
            for target in step.targets { try check(target, state) }
        }
    }

    private func check(_ target: CallOutStep.Target, _ state: State) throws(Refusal) {
        let named = [target.user != nil, target.rota != nil, target.role != nil].count { $0 }
        try InputFault.check(
            named == 1 && target.role ?? .supervisor == .supervisor,
            "targets",
            "a target that names \(named) things",
            allowed: "one of user, rota, or the role supervisor",
            else: Refusal.unacceptable
        )
        if let user = target.user, !(state.users[user]?.mayGo(in: organisation) ?? false) {
            throw .notOfStaff(user)
        }
        if let rota = target.rota, state.rotas[rota]?.definition == nil {
            throw .unknownRota(rota)
        }
    }
}
