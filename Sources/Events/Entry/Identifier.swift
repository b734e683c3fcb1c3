// SPDX-License-Identifier: Apache-2.0
/// A UUIDv7 that names one kind of thing, so that a session is never taken for a stream.
public struct Identifier<Named>: Hashable, Sendable {
    /// The UUID itself.
    public let uuid: UUIDv7

    /// Names the thing with that UUID.
    public init(_ uuid: UUIDv7) {
        self.uuid = uuid
    }

    /// Makes a new one; see ``UUIDv7/init(at:using:)``.
    public init(at time: Timestamp, using generator: inout some RandomNumberGenerator) {
        uuid = UUIDv7(at: time, using: &generator)
    }
}

extension Identifier: LosslessStringConvertible, Codable {
    /// Reads the lower-case text of a UUIDv7.
    public init?(_ description: String) {
        guard let uuid = UUIDv7(description) else { return nil }
        self.uuid = uuid
    }

    /// The lower-case text.
    public var description: String { uuid.description }

    /// Reads the text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let uuid = UUIDv7(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "\"\(text)\" is no lower-case UUID of version 7"
                )
            )
        }
        self.uuid = uuid
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(uuid.description)
    }
}

/// What the identifiers name; none of these has values.
public enum Named {
    public enum Event {}
    public enum Session {}
    public enum Incident {}
    public enum Stream {}
    public enum Message {}
    public enum Request {}
    public enum Link {}
    public enum PushSubscription {}
    public enum Device {}
    public enum Person {}
    public enum Report {}
    public enum Alert {}
    public enum PatrolPoint {}
    public enum Tour {}
    public enum Round {}
    public enum GuardAlarm {}
    public enum Hold {}
    public enum Note {}
    public enum CallOut {}
    public enum Webhook {}
    public enum Agency {}
    public enum Camera {}
    public enum Channel {}
    public enum Contact {}
    public enum SOS {}
    public enum Content {}
}

public typealias EventID = Identifier<Named.Event>
public typealias SessionID = Identifier<Named.Session>
public typealias IncidentID = Identifier<Named.Incident>
public typealias StreamID = Identifier<Named.Stream>
public typealias MessageID = Identifier<Named.Message>
public typealias RequestID = Identifier<Named.Request>
public typealias LinkID = Identifier<Named.Link>
public typealias PushSubscriptionID = Identifier<Named.PushSubscription>
public typealias DeviceID = Identifier<Named.Device>
/// Whoever sealed data belongs to; also names that person's key.
public typealias PersonID = Identifier<Named.Person>
public typealias ReportID = Identifier<Named.Report>
public typealias AlertID = Identifier<Named.Alert>
public typealias PatrolPointID = Identifier<Named.PatrolPoint>
public typealias TourID = Identifier<Named.Tour>
/// One walk of a tour by one guard.
public typealias RoundID = Identifier<Named.Round>
public typealias GuardAlarmID = Identifier<Named.GuardAlarm>
public typealias HoldID = Identifier<Named.Hold>
public typealias NoteID = Identifier<Named.Note>
/// One call for staff, from its opening to an answer.
public typealias CallOutID = Identifier<Named.CallOut>
public typealias WebhookID = Identifier<Named.Webhook>
/// A rescue agency.
public typealias AgencyID = Identifier<Named.Agency>
/// A camera that the gateway records.
public typealias CameraID = Identifier<Named.Camera>
/// A channel of a team.
public typealias ChannelID = Identifier<Named.Channel>
/// Somebody whom a citizen's alerts tell.
public typealias ContactID = Identifier<Named.Contact>
/// One call for help of a citizen.
public typealias SOSID = Identifier<Named.SOS>
/// A text for everybody, on rights or on help nearby.
public typealias ContentID = Identifier<Named.Content>
