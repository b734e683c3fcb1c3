// SPDX-License-Identifier: Apache-2.0
public import Events

/// Somebody reads personal data; recorded before the bytes leave.
///
/// Once per reader, resource, purpose and minute: the command's id says so. Give the context the
/// id of ``commandID(at:)``, and a repetition in the same minute gives the first one's receipt.
public struct RecordAccess: Command {
    public let reader: Actor
    public let resource: Subject
    public let purpose: String
    public let fields: [String]

    public init(by reader: Actor, of resource: Subject, purpose: String, fields: [String]) {
        self.reader = reader
        self.resource = resource
        self.purpose = purpose
        self.fields = fields
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

    public var subject: Subject { .access(reader) }

    /// Nothing that was recorded before matters.
    public func read(_ ledger: inout LedgerView) {}

    public func decide(
        _ state: Void,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            purpose,
            "purpose",
            bytesMax: CommandLimits.wordBytesMax,
            else: Refusal.unacceptable
        )
        let read = AccessRead(
            reader: reader,
            resource: resource,
            purpose: purpose,
            fields: fields
        )
        return .record([.access(reader, .read(read))])
    }

    /// The id under which this access is one command for a whole minute.
    public func commandID(at now: Timestamp) -> CommandID {
        .ofMinute(now, ["access", resource.text, purpose])
    }
}
