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
    case sip(SIPEvent)
    case camera(CameraEvent)
    case channel(ChannelEvent)
    case safety(SafetyEvent)

    /// All families, in the order of the cases.
    static let families: [any EventFamily.Type] = [
        SessionEvent.self, IncidentEvent.self, DeviceEvent.self, UserEvent.self, StreamEvent.self,
        ChatEvent.self, LocationEvent.self, ReportEvent.self, AlertEvent.self, PatrolEvent.self,
        AccessEvent.self, PersonEvent.self, HoldEvent.self, PolicyEvent.self, ClockEvent.self,
        CallOutEvent.self, WebhookEvent.self, AgencyEvent.self, SIPEvent.self,
        CameraEvent.self, ChannelEvent.self, SafetyEvent.self,
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
        case .sip(let event): event
        case .camera(let event): event
        case .channel(let event): event
        case .safety(let event): event
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
    /// The encrypted file that the event names: a picture of a chat, a report or a channel, or a message of SIP as it came or went.
    public var storedFile: StoredFile? {
        switch self {
        case .chat(.attachmentAdded(let added)):
            StoredFile(person: added.person, blob: added.blob, bytes: added.bytes)
        case .report(.photoAdded(let added)):
            StoredFile(person: added.person, blob: added.blob, bytes: added.bytes)
        case .sip(.messageReceived(let received)):
            StoredFile(person: received.person, blob: received.raw, bytes: received.rawBytes)
        case .sip(.replySent(let sent)):
            StoredFile(person: sent.person, blob: sent.raw, bytes: sent.rawBytes)
        case .sip(.malformedReceived(let malformed)):
            StoredFile(person: malformed.person, blob: malformed.raw, bytes: malformed.rawBytes)
        case .channel(.messageSent(let sent)):
            sent.moment.map {
                StoredFile(person: sent.person, blob: $0.still, bytes: $0.stillBytes)
            }
        default: nil
        }
    }

    /// The kinds whose events name one.
    public static let kindsOfFiles = [
        ChatAttachmentAdded.kind, ReportPhotoAdded.kind, SIPMessageReceived.kind, SIPReplySent.kind,
        SIPMalformedReceived.kind, ChannelMessageSent.kind,
    ]
}

/// A file in the blob folder.
public struct StoredFile: Hashable, Sendable {
    /// Whose key encrypts it.
    public let person: PersonID
    /// The digest of the encrypted file.
    public let blob: SHA256Digest
    /// The length of the encrypted file.
    public let bytes: Int
}
