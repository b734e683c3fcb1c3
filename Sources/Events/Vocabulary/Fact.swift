// SPDX-License-Identifier: Apache-2.0
/// Any event of the vocabulary: one case for each family.
public enum Fact: Hashable, Sendable {
    case session(SessionEvent)
    case incident(IncidentEvent)
    case device(DeviceEvent)
    case user(UserEvent)
    case stream(StreamEvent)
    case chat(ChatEvent)
    case location(LocationEvent)
    case report(ReportEvent)
    case alert(AlertEvent)
    case patrol(PatrolEvent)
    case access(AccessEvent)
    case person(PersonEvent)
    case hold(HoldEvent)
    case policy(PolicyEvent)
    case clock(ClockEvent)
    case callOut(CallOutEvent)
    case webhook(WebhookEvent)
    case agency(AgencyEvent)

    /// All families, in the order of the cases.
    static let families: [any EventFamily.Type] = [
        SessionEvent.self, IncidentEvent.self, DeviceEvent.self, UserEvent.self, StreamEvent.self,
        ChatEvent.self, LocationEvent.self, ReportEvent.self, AlertEvent.self, PatrolEvent.self,
        AccessEvent.self, PersonEvent.self, HoldEvent.self, PolicyEvent.self, ClockEvent.self,
        CallOutEvent.self, WebhookEvent.self, AgencyEvent.self,
    ]

    /// The event inside its family.
    private var event: any EventFamily {
        switch self {
        case .session(let event): event
        case .incident(let event): event
        case .device(let event): event
        case .user(let event): event
        case .stream(let event): event
        case .chat(let event): event
        case .location(let event): event
        case .report(let event): event
        case .alert(let event): event
        case .patrol(let event): event
        case .access(let event): event
        case .person(let event): event
        case .hold(let event): event
        case .policy(let event): event
        case .clock(let event): event
        case .callOut(let event): event
        case .webhook(let event): event
        case .agency(let event): event
        }
    }

    /// The payload inside the family.
    public var payload: any EventPayload { event.payload }

    /// What stands as `type` in the entry.
    public var kind: Kind { type(of: payload).kind }

    /// See ``EventPayload/links``.
    public var links: [SubjectLink] { payload.links }
}

extension Fact {
    /// The encrypted picture that the event names: one of a chat, or of a report.
    public var picture: StoredPicture? {
        switch self {
        case .chat(.attachmentAdded(let added)):
            StoredPicture(person: added.person, blob: added.blob, bytes: added.bytes)
        case .report(.photoAdded(let added)):
            StoredPicture(person: added.person, blob: added.blob, bytes: added.bytes)
        default: nil
        }
    }

    /// The kinds whose events name one.
    public static let kindsOfPictures = [ChatAttachmentAdded.kind, ReportPhotoAdded.kind]
}

/// A picture in the blob folder.
public struct StoredPicture: Hashable, Sendable {
    /// Whose key encrypts it.
    public let person: PersonID
    /// The digest of the encrypted file.
    public let blob: SHA256Digest
    /// The length of the encrypted file.
    public let bytes: Int
}
