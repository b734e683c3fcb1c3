// SPDX-License-Identifier: Apache-2.0
/// The entity whose events are numbered together: `session/0199…`.
public struct Subject: NameText {
    public let text: String

    public init(unchecked text: String) {
        self.text = text
    }

    /// What stands before the first slash: `session`.
    public var category: Substring {
        // By bytes: names are ASCII, and characters cost ten times as much.
        text[..<(text.utf8.firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex)]
    }

    /// What stands behind the first slash, or the whole text if there is none.
    public var name: Substring {
        guard let slash = text.firstIndex(of: "/") else { return text[...] }
        return text[text.index(after: slash)...]
    }
}

extension Subject {
    public static func session(_ id: SessionID) -> Subject { Subject(unchecked: "session/\(id)") }
    public static func incident(_ id: IncidentID) -> Subject {
        Subject(unchecked: "incident/\(id)")
    }
    public static func stream(_ id: StreamID) -> Subject { Subject(unchecked: "stream/\(id)") }
    public static func device(_ id: DeviceID) -> Subject { Subject(unchecked: "device/\(id)") }
    public static func user(_ id: UserID) -> Subject { Subject(unchecked: "user/\(id)") }
    public static func person(_ id: PersonID) -> Subject { Subject(unchecked: "person/\(id)") }
    public static func report(_ id: ReportID) -> Subject { Subject(unchecked: "report/\(id)") }
    public static func alert(_ id: AlertID) -> Subject { Subject(unchecked: "alert/\(id)") }
    /// What messages of one purpose say in one language.
    public static func template(_ name: String, _ language: String) -> Subject {
        Subject(unchecked: "template/\(name).\(language)")
    }
    /// The way out of one channel.
    public static func sender(_ channel: AlertChannel) -> Subject {
        Subject(unchecked: "sender/\(channel.rawValue)")
    }
    public static func callOut(_ id: CallOutID) -> Subject { Subject(unchecked: "call_out/\(id)") }
    public static func webhook(_ id: WebhookID) -> Subject { Subject(unchecked: "webhook/\(id)") }
    public static func agency(_ id: AgencyID) -> Subject { Subject(unchecked: "agency/\(id)") }
    /// Where an agency's team is.
    public static func agencyPlace(_ id: AgencyID) -> Subject {
        Subject(unchecked: "agency_place/\(id)")
    }
    /// Whom an organisation's call-outs of one name call.
    public static func chain(_ name: String, of organisation: OrganisationID) -> Subject {
        Subject(unchecked: "chain/\(organisation).\(name)")
    }
    public static func rota(_ name: String, of organisation: OrganisationID) -> Subject {
        Subject(unchecked: "rota/\(organisation).\(name)")
    }
    public static func patrolPoint(_ id: PatrolPointID) -> Subject {
        Subject(unchecked: "patrol_point/\(id)")
    }
    public static func tour(_ id: TourID) -> Subject { Subject(unchecked: "tour/\(id)") }
    public static func round(_ id: RoundID) -> Subject { Subject(unchecked: "round/\(id)") }
    public static func guardAlarm(_ id: GuardAlarmID) -> Subject {
        Subject(unchecked: "guard_alarm/\(id)")
    }
    public static func camera(_ id: CameraID) -> Subject { Subject(unchecked: "camera/\(id)") }
    public static func channel(_ id: ChannelID) -> Subject { Subject(unchecked: "channel/\(id)") }
    public static func contact(_ id: ContactID) -> Subject { Subject(unchecked: "contact/\(id)") }
    public static func sos(_ id: SOSID) -> Subject { Subject(unchecked: "sos/\(id)") }
    public static func content(_ id: ContentID) -> Subject { Subject(unchecked: "content/\(id)") }
    /// All legal holds of one organisation: one subject, so that an erasure can be conditional on it.
    public static func holds(_ organisation: OrganisationID) -> Subject {
        Subject(unchecked: "holds/\(organisation)")
    }
    /// A trunk, by the name that its administrator gave it.
    public static func trunk(_ id: String) -> Subject { Subject(unchecked: "trunk/\(id)") }
    /// What came to the sockets of SIP and was none.
    public static let malformedSIP = Subject(unchecked: "sip/malformed")
    /// What one reader read or was refused.
    public static func access(_ reader: Actor) -> Subject {
        Subject(unchecked: "access/\(reader)")
    }
    public static func policy(_ name: String) -> Subject { Subject(unchecked: "policy/\(name)") }
    public static let clock = Subject(unchecked: "clock/main")
}
