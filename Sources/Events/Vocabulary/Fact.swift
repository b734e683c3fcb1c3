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

    /// The payload inside the family.
    public var payload: any EventPayload {
        switch self {
        case .session(let event): event.payload
        case .incident(let event): event.payload
        case .device(let event): event.payload
        case .user(let event): event.payload
        case .stream(let event): event.payload
        case .chat(let event): event.payload
        case .location(let event): event.payload
        case .report(let event): event.payload
        case .alert(let event): event.payload
        case .patrol(let event): event.payload
        case .access(let event): event.payload
        case .person(let event): event.payload
        case .hold(let event): event.payload
        case .policy(let event): event.payload
        case .clock(let event): event.payload
        }
    }

    /// What stands as `type` in the entry.
    public var kind: Kind { type(of: payload).kind }

    /// See ``EventPayload/links``.
    public var links: [SubjectLink] { payload.links }
}
