// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird

/// The answer to a command: where its events stand, and what it came to, in one object.
struct CommandReply<Outcome: Encodable>: Encodable {
    let outcome: Outcome
    let receipt: ReceiptBody?

    func encode(to encoder: any Encoder) throws {
        try outcome.encode(to: encoder)
        try receipt?.encode(to: encoder)
    }
}

/// A receipt as the interface shows it; numbers that may pass 2⁵³ are text.
struct ReceiptBody: Encodable {
    /// The position of the last event.
    let position: LogPosition
    /// How many events were recorded.
    let events: Int
    /// The revision of what the command was about.
    let revision: Revision?
    let time: Timestamp
    /// Whether the command had been taken before.
    let repeated: Bool

    init(_ receipt: Receipt, about subject: Subject) {
        position = receipt.last
        events = receipt.count
        revision = receipt.revisions[subject]
        time = receipt.time
        repeated = receipt.repeated
    }

    private enum Member: String, CodingKey {
        case position, events, revision, time, repeated
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode("\(position)", forKey: .position)
        try members.encode(events, forKey: .events)
        try members.encodeIfPresent(revision.map { "\($0)" }, forKey: .revision)
        try members.encode(time, forKey: .time)
        try members.encode(repeated, forKey: .repeated)
    }
}

/// Nothing to tell but the receipt.
struct NoOutcome: Encodable {
    private enum Member: CodingKey {}

    func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: Member.self)
    }
}

extension Ledger {
    /// Hands a request's command to the log and answers with its receipt.
    ///
    /// - Parameters:
    ///   - command: What is asked.
    ///   - request: Who asks, under which id.
    ///   - right: Whether they may, when the events are appended, too; `nil` where the command itself decides that.
    ///   - subject: Whose revision the answer tells; `nil` for the command's own.
    ///   - organisation: Whose the events are, where the route knows; `nil` for the asker's;
    ///     of what is there already, the organisation that has it comes first.
    ///   - newcomers: People who get a key with it.
    ///   - status: 201 where something new has a name now.
    ///   - body: What the outcome is on the wire.
    /// - Returns: Receipt and outcome; 200 for a repetition.
    /// - Throws: The refusal, and what kept the command out of the log.
    func answer<C: Command, Body: Encodable>(
        _ command: C,
        _ request: CommandRequest,
        if right: Right? = nil,
        about subject: Subject? = nil,
        in organisation: OrganisationID? = nil,
        newcomers: [PersonID] = [],
        status: HTTPResponse.Status = .ok,
        body: (C.Outcome) throws -> Body
    ) async throws -> Response {
        var context = try context(of: request, if: right, in: organisation)
        context.newcomers = newcomers
        let answer = try await handler.handle(command, context)
        let receipt = answer.receipt.map { ReceiptBody($0, about: subject ?? command.subject) }
        let reply = CommandReply(outcome: try body(answer.outcome), receipt: receipt)
        let data = try JSONBody.encoder.encode(reply)
        // What was so already is in the log by now, wherever it stands.
        let position = answer.receipt?.last ?? log.size.checkedPrevious
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.ledgerPosition] = position.map { "\($0)" }
        return Response(
            status: answer.receipt?.repeated == true ? .ok : status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    /// The same for commands that tell nothing but their receipt.
    func answer<C: Command>(
        _ command: C,
        _ request: CommandRequest,
        if right: Right? = nil,
        about subject: Subject? = nil,
        in organisation: OrganisationID? = nil
    ) async throws -> Response where C.Outcome == Void {
        try await answer(command, request, if: right, about: subject, in: organisation) {
            NoOutcome()
        }
    }
}
