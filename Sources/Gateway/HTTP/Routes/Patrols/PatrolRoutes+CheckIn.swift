// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird

extension PatrolRoutes {
    /// What a guard's phone sends after a scan.
    private struct CheckInRequest: Decodable {
        /// The scanned text, as it stands on the code.
        let code: String
        let fix: Fix?
        /// Kept on the phone and sent later; `Daybook-Occurred-At` then tells the scan's moment.
        let offline: Bool?
        let note: String?
    }

    /// Takes a scan; a refused one is recorded too, then answered as a problem (ruling 26).
    func checkIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        guard let user = request.asker.user else {
            throw Problem(.forbidden, detail: "a guard signs in with an account to check in")
        }
        let body: CheckInRequest = try request.decoded()
        guard let scan = try codes.read(body.code) else {
            throw Problem(
                .notAPatrolCode,
                detail: "the scanned text is no patrol code; scan the code at the point"
            )
        }
        let command = Commands.CheckIn(
            at: scan.point,
            by: user,
            person: try ledger.personBehind(request.asker.principal),
            code: scan.isGenuine ? .genuine : .forged,
            fix: body.fix,
            sending: body.offline == true ? .later : .atOnce,
            note: body.note
        )
        do {
            return try await ledger.answer(command, request, status: .created) {
                ["point": "\(scan.point)"]
            }
        } catch Commands.CheckIn.Refusal.badCode(let point) {
            // Not a 403: the guard may check in, it is the code that does not count.
            throw Problem(
                .forgedPatrolCode,
                detail: "the code is not that of point \(point); scan the code there",
                facts: ["point": .string("\(point)")]
            )
        }
    }
}

extension ProblemType {
    static let notAPatrolCode = Self(
        "not-a-patrol-code",
        .unprocessableContent,
        "Not a patrol code"
    )
    static let forgedPatrolCode = Self(
        "check-in-bad-code",
        .unprocessableContent,
        "Check in bad code"
    )
}
