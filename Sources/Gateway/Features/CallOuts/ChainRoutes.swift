// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of rotas and chains: who is on duty when, and whom a call-out calls.
struct ChainRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/rotas", for: .readersOfTheCentre, rotas),
            Route(.put, "/v1/rotas/:name", for: .supervision, defineRota),
            Route(.get, "/v1/chains", for: .readersOfTheCentre, chains),
            Route(.put, "/v1/chains/:name", for: .supervision, defineChain),
        ]
    }

    // MARK: - Rotas

    private struct RotaBody: Encodable {
        let name: String
        let members: [UserID]
        let timeZone: String
        let startsOn: String
        /// `08:00`.
        let handovers: [String]
        let everyDays: Int
        /// Whose shift it is; absent before the first one.
        let onDuty: ShiftBody?
        /// Who is called now: whose shift it is, or who stands in; absent where all are off duty.
        let called: UserID?
        let next: UserID?
    }

    private struct ShiftBody: Encodable {
        let user: UserID
        let from: Timestamp
        let until: Timestamp
    }

    private func rotas(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let organisation = try context.signedIn().organisation
        try await ledger.awaitLevel(request, of: "alert-queue")
        let now = ledger.now
        let names = try await ledger.readModels.alerts.rotas(of: organisation)
        let items = try names.compactMap { name -> RotaBody? in
            let rota = try ledger.handler.current(Rota.self, .init(name, of: organisation))
            guard let rota = rota.definition else { return nil }
            let shift = rota.shift(at: now)
            return RotaBody(
                name: name,
                members: rota.members,
                timeZone: rota.timeZone,
                startsOn: rota.startsOn,
                handovers: rota.handovers.map(Self.time),
                everyDays: rota.everyDays,
                onDuty: shift.map { .init(user: $0.user, from: $0.from, until: $0.until) },
                called: try rota.onDuty(at: now) {
                    try ledger.handler.current(Reach.self, $0).isOffDuty(at: now)
                },
                next: shift.map { rota.members[($0.number + 1) % rota.members.count] }
            )
        }
        return try .json(PageBody(items: items))
    }

    private struct RotaRequest: Decodable {
        let members: [UserID]
        let timeZone: String
        let startsOn: String
        let handovers: [String]
        let everyDays: Int
        let isRetired: Bool?
    }

    private func defineRota(_ request: Request, _ context: GatewayContext) async throws -> Response
    {
        let name = context.parameters.get("name") ?? ""
        let request = try await ledger.command(request, context)
        let body: RotaRequest = try request.decoded()
        let definition = RotaDefined(
            name: name,
            members: body.members,
            timeZone: body.timeZone,
            startsOn: body.startsOn,
            handovers: try body.handovers.map(Self.minutes),
            everyDays: body.everyDays,
            isRetired: body.isRetired ?? false
        )
        return try await ledger.answer(
            DefineRota(definition, of: request.asker.organisation),
            request
        )
    }

    private static func time(_ minutes: Int) -> String {
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return (hour < 10 ? "0\(hour)" : "\(hour)") + (minute < 10 ? ":0\(minute)" : ":\(minute)")
    }

    private static func minutes(_ time: String) throws(Problem) -> Int {
        guard let match = time.wholeMatch(of: /([01][0-9]|2[0-3]):([0-5][0-9])/),
            let hour = Int(match.1), let minute = Int(match.2)
        else {
            throw Problem(
                .malformedRequest,
                detail: "handovers are times of a day from 00:00 to 23:59, such as 08:00"
            )
        }
        return hour * 60 + minute
    }

    // MARK: - Chains

    private struct ChainBody: Encodable {
        let name: String
        let opensFor: [ChainDefined.Trigger]
        let steps: [CallOutStep]
    }

    private func chains(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let organisation = try context.signedIn().organisation
        try await ledger.awaitLevel(request, of: "alert-queue")
        let names = try await ledger.readModels.alerts.chains(of: organisation)
        let items = try names.compactMap { name in
            try ledger.handler.current(Chain.self, .init(name, of: organisation)).definition
                .map { ChainBody(name: name, opensFor: $0.opensFor, steps: $0.steps) }
        }
        return try .json(PageBody(items: items))
    }

    private struct ChainRequest: Decodable {
        let opensFor: [ChainDefined.Trigger]?
        let steps: [CallOutStep]
        let isRetired: Bool?
    }

    private func defineChain(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let name = context.parameters.get("name") ?? ""
        let request = try await ledger.command(request, context)
        let body: ChainRequest = try request.decoded()
        let definition = ChainDefined(
            name: name,
            opensFor: body.opensFor ?? [],
            steps: body.steps,
            isRetired: body.isRetired ?? false
        )
        return try await ledger.answer(
            DefineChain(definition, of: request.asker.organisation),
            request
        )
    }
}
