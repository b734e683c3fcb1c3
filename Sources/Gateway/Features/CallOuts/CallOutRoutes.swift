// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of call-outs: calling staff, answering, and going on to the next step.
struct CallOutRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/call-outs",
                for: .readersOfTheCentre,
                reads: "call-out-list",
                list
            ),
            Route(.post, "/v1/call-outs", for: .deskAndAbove, open),
            Route(.post, "/v1/call-outs/:id/acknowledge", for: Self.called, acknowledge),
            Route(.post, "/v1/call-outs/:id/escalate", for: .deskAndAbove, escalate),
            Route(.post, "/v1/call-outs/:id/cancel", for: .deskAndAbove, cancel),
        ]
    }

    /// Whom a chain may call.
    static let called: Askers = [
        .guard, .rescuer, .operator, .supervisor, .organisationAdmin, .admin, .analyst, .auditor,
    ]

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let before = try request.cursor("before", in: ledger.log)?.position
        let limit = try request.number("limit", default: 50, in: 1...200)
        let isOpen = request.text("open").map { $0 == "true" }
        try await ledger.awaitLevel(request, of: "alert-queue")
        let found = try await ledger.readModels.alerts.callOuts(
            in: principal.scope,
            isOpen: isOpen,
            before: before,
            limit: limit
        )
        let keys = try await ledger.keys(
            toRead: Subject(unchecked: "call-outs/\(principal.organisation)"),
            context,
            fields: ["text", "reason", "name"]
        )
        let next = found.count == limit ? found.last?.position : nil
        return try .list(FullPage(rows: found, next: next), at: \.position) { row in
            let callOut = try ledger.handler.current(CallOut.self, row.id)
            // Of what the reader may not see stands here only that somebody is called.
            let mayRead = try ReadingRights.holds {
                if let cause = callOut.opened?.cause {
                    try ledger.rights.check(contents: cause, for: principal)
                }
            }
            let names = try names(of: callOut, keys)
            return try CallOutBody(callOut, at: row.position, names, mayRead ? keys : nil)
        }
    }

    /// What the people are called whom a call-out's step calls, who opened and who ended it.
    private func names(of callOut: CallOut, _ keys: ReadingKeys) throws -> [String: String] {
        var names: [String: String] = [:]
        let others = [callOut.ended?.by, callOut.openedBy?.user?.id].compactMap(\.self)
        for user in callOut.people + others {
            names["\(user)"] = try ledger.handler.current(User.self, user).account?.name?
                .opened(with: keys).value
        }
        return names
    }

    private struct OpenRequest: Decodable {
        let chain: String
        let cause: Subject?
        let severity: AlertQueued.Severity
        let text: String?
    }

    private func open(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let body: OpenRequest = try request.decoded()
        let right: Right = { rights, asker in
            guard let cause = body.cause else { return }
            try rights.requireInReach(cause, of: asker)
            try rights.check(contents: cause, for: asker.principal)
        }
        try right(ledger.rights, request.asker)
        let organisation = request.asker.organisation
        let chain = Chain.Key(body.chain, of: organisation)
        let steps = try ledger.handler.current(Chain.self, chain).definition?.steps ?? []
        let person = try ledger.personBehind(request.asker.principal)
        let command = OpenCallOut(
            by: chain,
            about: body.cause,
            severity: body.severity,
            text: body.text.map { .open($0, of: person) },
            people: try await ledger.people(of: steps, in: organisation)
        )
        return try await ledger.answer(command, request, if: right, status: .created) {
            ["callOut": "\($0)"]
        }
    }

    private func acknowledge(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (id, request) = try await asked(request, context)
        let user = try request.asker.requireUser()
        let callOut = try ledger.handler.current(CallOut.self, id)
        guard callOut.called.contains(user) || request.asker.role.reach != .nothing else {
            throw Problem(.forbidden, detail: "call-out \(id) did not call you; ask the desk")
        }
        return try await ledger.answer(EndCallOut(id, .acknowledged, by: user), request)
    }

    private func escalate(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, request) = try await asked(request, context)
        let callOut = try ledger.handler.current(CallOut.self, id)
        let people = try await ledger.people(
            of: Array((callOut.opened?.steps ?? []).dropFirst(callOut.step)),
            in: request.asker.organisation
        )
        let command = EscalateCallOut(id, after: callOut.step, .manual, people: people)
        return try await ledger.answer(command, request)
    }

    private struct CancelRequest: Decodable {
        let reason: String
    }

    private func cancel(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, request) = try await asked(request, context)
        let user = try request.asker.requireUser()
        let body: CancelRequest = try request.decoded()
        let person = try ledger.personBehind(request.asker.principal)
        let reason = Sealed.open(body.reason, of: person)
        return try await ledger.answer(
            EndCallOut(id, .cancelled, by: user, because: reason),
            request
        )
    }

    private func asked(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> (CallOutID, CommandRequest) {
        let id: CallOutID = try context.id()
        let request = try await ledger.command(request, context)
        try ledger.rights.requireInReach(.callOut(id), of: request.asker)
        return (id, request)
    }
}

/// A call-out as the interface shows it.
private struct CallOutBody: Encodable {
    let id: CallOutID
    let chain: String
    let cause: Subject?
    let severity: AlertQueued.Severity?
    /// In the words of who called; absent where the reader may not read what it is about, and once they were erased.
    let text: String?
    let openedAt: Timestamp?
    let openedBy: Actor?
    /// `open`, or how it ended.
    let state: String
    /// From 1.
    let step: Int
    let stepCount: Int
    let stepAt: Timestamp?
    /// When the next step is due; absent when it is over.
    let nextAt: Timestamp?
    /// Whom the step calls.
    let people: [UserID]
    /// Theirs, and that of who ended it, by id.
    let names: [String: String]
    let endedBy: UserID?
    let endedAt: Timestamp?
    /// Why it was called off.
    let reason: String?
    /// The place in the log, as text; also the cursor of lists.
    let position: String

    init(
        _ callOut: CallOut,
        at position: LogPosition,
        _ names: [String: String],
        _ keys: ReadingKeys?
    ) throws {
        let opened = callOut.opened
        id = callOut.id
        chain = opened?.chain ?? ""
        cause = keys == nil ? nil : opened?.cause
        severity = opened?.severity
        text = try keys.flatMap { try opened?.text?.opened(with: $0).value }
        openedAt = callOut.cause?.time
        openedBy = callOut.openedBy
        reason = try keys.flatMap { try callOut.ended?.reason?.opened(with: $0).value }
        state = callOut.ended?.end.rawValue ?? "open"
        step = callOut.step
        stepCount = opened?.steps.count ?? 0
        stepAt = callOut.begun.last?.cause.time
        nextAt = callOut.isOpen ? callOut.until : nil
        people = callOut.people
        self.names = names
        (endedBy, endedAt) = (callOut.ended?.by, callOut.endedAt)
        self.position = "\(position)"
    }
}
