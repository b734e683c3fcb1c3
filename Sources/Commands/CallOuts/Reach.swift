// SPDX-License-Identifier: Apache-2.0
public import Events

/// By which ways a member of staff is told of something.
public struct Reach: Fold {
    public let id: UserID
    /// `nil` before it was set.
    public private(set) var ways: ReachSet?
    /// Which browsers take pushes, oldest first.
    public private(set) var browsers: [BrowserSet] = []

    public init(_ id: UserID) {
        self.id = id
    }

    public static func source(of id: UserID) -> FoldSource { .subject(.user(id)) }

    /// Takes in an event of the account's subject.
    public mutating func apply(_ event: RecordedEvent) {
        switch event.fact {
        case .callOut(.reachSet(let reach)): ways = reach
        case .callOut(.browserSet(let browser)):
            browsers.removeAll { $0.browser == browser.browser }
            if browser.target != nil { browsers.append(browser) }
        default: break
        }
    }

    /// Whether nobody calls at a moment.
    public func isOffDuty(at now: Timestamp) -> Bool {
        ways?.offDutyUntil.map { $0 > now } ?? false
    }

    /// Whether there is no way at all.
    public var isEmpty: Bool {
        ways?.phone == nil && ways?.email == nil && browsers.isEmpty
    }
}

/// Sets by which ways a member of staff is told.
public struct SetReach: Command {
    public let user: UserID
    public let phone: PhoneNumber?
    public let email: String?
    public let language: String
    public let offDutyUntil: Timestamp?
    /// Opens what is known, so that the same again is no change.
    private let keys: any PersonKeys

    public init(
        of user: UserID,
        phone: PhoneNumber?,
        email: String?,
        language: String,
        offDutyUntil: Timestamp?,
        openedWith keys: any PersonKeys = NoKeys()
    ) {
        self.user = user
        self.phone = phone
        self.email = email
        self.language = language
        self.offDutyUntil = offDutyUntil
        self.keys = keys
    }

    public typealias Refusal = ReachRefusal

    public var subject: Subject { .user(user) }

    /// What the decision goes by.
    public struct State {
        let user: User
        let reach: Reach
        let isSame: Bool
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let reach = try ledger.read(Reach.self, user)
        let known = reach.ways
        let isSame =
            try known != nil && known?.phone?.opened(with: keys).value == phone
            && known?.email?.opened(with: keys).value == email && known?.language == language
            && known?.offDutyUntil == offDutyUntil
        return State(user: try ledger.read(User.self, user), reach: reach, isSame: isSame)
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let account = state.user.account else { throw .unknown(user) }
        try InputFault.check(
            optional: email,
            "email",
            bytesMax: CommandLimits.senderTextBytesMax,
            else: Refusal.unacceptable
        )
        try InputFault.check(language: language, else: Refusal.unacceptable)
        let latest = context.now + CommandLimits.offDutyMax
        try InputFault.check(
            offDutyUntil.map { $0 > context.now && $0 <= latest } ?? true,
            "offDutyUntil",
            "\(offDutyUntil ?? context.now)",
            allowed: "a moment to come, at most 30 days ahead",
            else: Refusal.unacceptable
        )
        guard !state.isSame else { return .already(()) }
        let person = account.person
        let set = ReachSet(
            person: person,
            phone: phone.map { .open($0, of: person) },
            email: email.map { .open($0, of: person) },
            language: language,
            offDutyUntil: offDutyUntil
        )
        return .record([.reach(user, .reachSet(set))])
    }
}

/// A browser of a member of staff takes pushes from now on, or does no more.
public struct SetBrowser: Command {
    public let user: UserID
    public let browser: SHA256Digest
    public let target: PushTarget?

    public init(of user: UserID, _ browser: SHA256Digest, to target: PushTarget?) {
        self.user = user
        self.browser = browser
        self.target = target
    }

    public typealias Refusal = ReachRefusal

    public var subject: Subject { .user(user) }

    public func read(_ ledger: inout LedgerView) throws -> (user: User, reach: Reach) {
        (try ledger.read(User.self, user), try ledger.read(Reach.self, user))
    }

    public func decide(
        _ state: (user: User, reach: Reach),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let person = state.user.account?.person else { throw .unknown(user) }
        let others = state.reach.browsers.filter { $0.browser != browser }
        guard target != nil || others.count < state.reach.browsers.count else {
            return .already(())
        }
        guard target == nil || others.count < CommandLimits.browsersPerUserMax else {
            throw .tooManyBrowsers(user)
        }
        let set = BrowserSet(
            person: person,
            browser: browser,
            target: target.map { .open($0, of: person) }
        )
        return .record([.reach(user, .browserSet(set))])
    }
}

/// Why the ways of a member of staff were not changed.
public enum ReachRefusal: CommandRefusal {
    case unknown(UserID)
    case tooManyBrowsers(UserID)
    case unacceptable(InputFault)

    public var problem: Problem {
        switch self {
        case .unknown(let user): .userUnknown(user, attempt: "setting how to reach somebody")
        case .tooManyBrowsers(let user):
            Problem(
                .conflict,
                "browsers-too-many",
                "setting up this browser refused: \(user) has \(CommandLimits.browsersPerUserMax) "
                    + "already; switch notifications off in one of them",
                facts: ["user": "\(user)"]
            )
        case .unacceptable(let fault): fault.problem
        }
    }
}
