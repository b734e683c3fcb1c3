// SPDX-License-Identifier: Apache-2.0
public import Events

/// Somebody reads personal data, or was turned away; recorded before the bytes, or the refusal, leave.
///
/// Once per person, words and minute: the command's id says so. Give the context the id of
/// ``commandID(at:)``, and a repetition in the same minute gives the first one's receipt.
public struct RecordAccess: Command {
    public let actor: Actor
    public let event: AccessEvent

    /// Somebody reads.
    ///
    /// - Parameters:
    ///   - reader: Who.
    ///   - resource: What is read.
    ///   - purpose: What for, in a word.
    ///   - fields: Which personal fields are shown.
    public init(by reader: Actor, of resource: Subject, purpose: String, fields: [String]) {
        let read = AccessRead(
            reader: reader,
            resource: resource,
            purpose: purpose,
            fields: fields
        )
        (actor, event) = (reader, .read(read))
    }

    /// Somebody was turned away.
    ///
    /// - Parameters:
    ///   - actor: Who.
    ///   - resource: From what, if that is known.
    ///   - attempt: What was tried, such as a route.
    ///   - reason: Why.
    ///   - count: How many were, if they are told together.
    ///   - network: Where most of them came from, cut short.
    public init(
        refusedTo actor: Actor,
        resource: Subject? = nil,
        attempt: String,
        reason: AccessRefused.Reason,
        count: Int = 1,
        network: String? = nil
    ) {
        self.actor = actor
        let refused = AccessRefused(
            resource: resource,
            attempt: attempt,
            reason: reason,
            count: count,
            network: network
        )
        event = .refused(refused)
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .access(actor) }

    /// Nothing that was recorded before matters, so it waits for no other.
    public var lane: Subject? { nil }

    /// Each reading stands with whose the thing is: one reader may read what several organisations have.
    public var owned: Subject? { nil }

    /// Nothing that was recorded before matters.
    public func read(_ ledger: inout LedgerView) {}

    public func decide(
        _ state: Void,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        let (field, text, bytesMax) =
            switch event {
            case .read(let read): ("purpose", read.purpose, CommandLimits.wordBytesMax)
            case .refused(let refused): ("attempt", refused.attempt, CommandLimits.noteBytesMax)
            }
        try InputFault.check(text, field, bytesMax: bytesMax, else: Refusal.unacceptable)
        return .record([.access(actor, event)])
    }

    /// The id under which the same words are one command for a whole minute.
    public func commandID(at now: Timestamp) -> CommandID {
        switch event {
        case .read(let read):
            .ofMinute(now, ["access", read.resource.text, read.purpose])
        case .refused(let refused):
            .ofMinute(
                now,
                [
                    "refused", refused.resource?.text ?? "-", refused.attempt,
                    refused.reason.rawValue,
                ]
            )
        }
    }
}
