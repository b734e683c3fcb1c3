// SPDX-License-Identifier: Apache-2.0
public import Events

/// One fact, and the subject on which it is recorded.
public struct Write: Hashable, Sendable {
    public let subject: Subject
    public let fact: Fact

    public init(_ subject: Subject, _ fact: Fact) {
        self.subject = subject
        self.fact = fact
    }
}

/// Which family of facts stands on which subject: this is the one place that says so.
extension Write {
    public static func session(_ id: SessionID, _ event: SessionEvent) -> Write {
        Write(.session(id), .session(event))
    }
    /// Chat stands on its session, so that a message and the session's end conflict.
    public static func chat(_ id: SessionID, _ event: ChatEvent) -> Write {
        Write(.session(id), .chat(event))
    }
    /// Places stand on their session, so that an answer and the start limit conflict.
    public static func location(_ id: SessionID, _ event: LocationEvent) -> Write {
        Write(.session(id), .location(event))
    }
    public static func incident(_ id: IncidentID, _ event: IncidentEvent) -> Write {
        Write(.incident(id), .incident(event))
    }
    public static func stream(_ id: StreamID, _ event: StreamEvent) -> Write {
        Write(.stream(id), .stream(event))
    }
    public static func report(_ id: ReportID, _ event: ReportEvent) -> Write {
        Write(.report(id), .report(event))
    }
    public static func alert(_ id: AlertID, _ event: AlertEvent) -> Write {
        Write(.alert(id), .alert(event))
    }
    public static func sender(_ channel: AlertChannel, _ event: AlertEvent) -> Write {
        Write(.sender(channel), .alert(event))
    }
    public static func callOut(_ id: CallOutID, _ event: CallOutEvent) -> Write {
        Write(.callOut(id), .callOut(event))
    }
    public static func agency(_ id: AgencyID, _ event: AgencyEvent) -> Write {
        Write(.agency(id), .agency(event))
    }
    public static func agencyPlace(_ id: AgencyID, _ event: AgencyEvent) -> Write {
        Write(.agencyPlace(id), .agency(event))
    }
    /// What comes and goes by telephone stands on its session.
    public static func sip(_ id: SessionID, _ event: SIPEvent) -> Write {
        Write(.session(id), .sip(event))
    }
    public static func trunk(_ id: String, _ event: SIPEvent) -> Write {
        Write(.trunk(id), .sip(event))
    }
    public static func malformedSIP(_ event: SIPEvent) -> Write {
        Write(.malformedSIP, .sip(event))
    }
    public static func camera(_ id: CameraID, _ event: CameraEvent) -> Write {
        Write(.camera(id), .camera(event))
    }
    public static func channel(_ id: ChannelID, _ event: ChannelEvent) -> Write {
        Write(.channel(id), .channel(event))
    }
    /// A citizen's name stands on the person.
    public static func citizen(_ id: PersonID, _ event: SafetyEvent) -> Write {
        Write(.person(id), .safety(event))
    }
    public static func contact(_ id: ContactID, _ event: SafetyEvent) -> Write {
        Write(.contact(id), .safety(event))
    }
    public static func sos(_ id: SOSID, _ event: SafetyEvent) -> Write {
        Write(.sos(id), .safety(event))
    }
    public static func content(_ id: ContentID, _ event: SafetyEvent) -> Write {
        Write(.content(id), .safety(event))
    }
    public static func webhook(_ id: WebhookID, _ event: WebhookEvent) -> Write {
        Write(.webhook(id), .webhook(event))
    }
    /// By which ways a member of staff is told stands on the account.
    public static func reach(_ id: UserID, _ event: CallOutEvent) -> Write {
        Write(.user(id), .callOut(event))
    }
    public static func patrol(_ id: PatrolPointID, _ event: PatrolEvent) -> Write {
        Write(.patrolPoint(id), .patrol(event))
    }
    /// A scan that names no known point stands on the guard.
    public static func patrol(guard id: UserID, _ event: PatrolEvent) -> Write {
        Write(.user(id), .patrol(event))
    }
    public static func tour(_ id: TourID, _ event: PatrolEvent) -> Write {
        Write(.tour(id), .patrol(event))
    }
    public static func round(_ id: RoundID, _ event: PatrolEvent) -> Write {
        Write(.round(id), .patrol(event))
    }
    public static func guardAlarm(_ id: GuardAlarmID, _ event: PatrolEvent) -> Write {
        Write(.guardAlarm(id), .patrol(event))
    }
    public static func device(_ id: DeviceID, _ event: DeviceEvent) -> Write {
        Write(.device(id), .device(event))
    }
    public static func user(_ id: UserID, _ event: UserEvent) -> Write {
        Write(.user(id), .user(event))
    }
    public static func person(_ id: PersonID, _ event: PersonEvent) -> Write {
        Write(.person(id), .person(event))
    }
    public static func hold(_ organisation: OrganisationID, _ event: HoldEvent) -> Write {
        Write(.holds(organisation), .hold(event))
    }
    public static func policy(_ name: String, _ event: PolicyEvent) -> Write {
        Write(.policy(name), .policy(event))
    }
    public static func access(_ reader: Actor, _ event: AccessEvent) -> Write {
        Write(.access(reader), .access(event))
    }
}

extension [Write] {
    /// The first fact of one kind, and its subject.
    func first<Payload: EventPayload>(
        _ type: Payload.Type
    ) -> (subject: Subject, payload: Payload)? {
        for write in self {
            if let payload = write.fact.payload as? Payload { return (write.subject, payload) }
        }
        return nil
    }
}
