// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@testable import Commands

/// Operators, guards and rescuers of the tests.
extension UserID {
    static let sam = UserID(unchecked: "123456789")
    static let john = UserID(unchecked: "987654321")
    static let mary = UserID(unchecked: "555")
}

extension Staff {
    static let sam = Staff(.sam, as: .operator)
    static let john = Staff(.john, as: .operator)
    static let boss = Staff(.mary, as: .supervisor)
}

extension OrganisationID {
    static let north = OrganisationID(unchecked: "north")
}

extension PhoneNumber {
    static let first = PhoneNumber(unchecked: "+447712345678")
}

extension PhoneNumber {
    fileprivate init(unchecked text: String) {
        guard let number = PhoneNumber(text) else { preconditionFailure("\(text) is no number") }
        self = number
    }
}

extension SHA256Digest {
    /// A digest of nothing in particular.
    static func sample(_ byte: UInt8 = 7) -> SHA256Digest {
        SHA256Digest(bytes: [UInt8](repeating: byte, count: 32))
    }
}

extension StreamSettings {
    static let medium = StreamSettings(
        quality: .medium,
        width: 640,
        height: 360,
        framesPerSecond: 30,
        kilobitsPerSecond: 1000,
        camera: "rear"
    )
}

extension Fix {
    static let birmingham = Fix(latitude: 52.4796, longitude: -1.9026, accuracyMetres: 8)
}

extension StreamChunkArchived {
    static func sample(_ number: Int, bytes: Int = 1_000, offset: Int? = nil) -> Self {
        StreamChunkArchived(
            number: number,
            file: "2026/11/2026-11-21-13-11-123456789.webm",
            offset: offset ?? 5_000 + number * 1_000,
            length: bytes,
            sha256: .sample(UInt8(truncatingIfNeeded: number)),
            firstMilliseconds: number * 1_000,
            lastMilliseconds: number * 1_000 + 966,
            keyFrame: true,
            part: 0,
            through: (number + 1) * 1_000
        )
    }
}

/// A caller in a session.
struct Scene {
    let session: SessionID
    let caller: PersonID
}

extension MemoryLedger {
    /// A caller who started to chat.
    func chat() throws -> Scene {
        let caller = person()
        return Scene(session: try run(StartChat(caller: caller)).session, caller: caller)
    }

    /// A chat that Sam has claimed.
    func claimedChat(by owner: UserID = .sam) throws -> Scene {
        let scene = try chat()
        try run(ClaimSession(scene.session, by: owner))
        return scene
    }

    /// A chat of Sam's that is offered to John.
    func offeredChat() throws -> Scene {
        try user(.john)
        let scene = try claimedChat()
        try run(OfferSession(scene.session, by: .sam, to: .john, reason: "my shift ends"))
        return scene
    }

    /// A chat of Sam's, whom silence signed out.
    func unattendedChat() throws -> Scene {
        try user(.sam)
        let scene = try claimedChat()
        try run(LogOut(.sam, reason: .idle))
        return scene
    }

    /// A session that Sam opened for a number.
    func video(by owner: UserID = .sam) throws -> Scene {
        let caller = person()
        let opened = try run(CreateSession(by: owner, caller: caller, phone: .first))
        return Scene(session: opened.session, caller: caller)
    }

    /// An incident with one session, which a caller opened.
    func incident(of organisation: OrganisationID = .main) throws -> IncidentID {
        let session = try run(StartChat(caller: person()), in: organisation).session
        return try #require(try state(Membership.self, session).incident)
    }

    /// A chat of Sam's, and one of John's.
    func pair() throws -> (SessionID, SessionID) {
        (try claimedChat(by: .sam).session, try claimedChat(by: .john).session)
    }

    /// An incident that is part of another.
    func mergedIncident() throws -> IncidentID {
        let (first, second) = (try incident(), try incident())
        try run(MergeIncidents(first, into: second, reason: "same fire"))
        return first
    }

    /// A one-use link, good for a minute.
    @discardableResult
    func link(to scene: Scene) throws -> LinkID {
        let link: LinkID = id()
        let expiresAt = now + .seconds(60)
        try run(IssueLink(link, to: scene.session, by: .sam, expiresAt: expiresAt))
        return link
    }

    /// The command that joins by a link.
    func opening(_ link: LinkID, of scene: Scene, publicKey: String? = nil) -> OpenLink {
        OpenLink(link, of: scene.session, as: id(), phone: .first, publicKey: publicKey)
    }

    /// A session that was closed.
    func closedChat() throws -> Scene {
        let scene = try claimedChat()
        try run(CloseSession(scene.session, by: .staff(.sam), disposition: "handled"))
        return scene
    }

    /// A session whose start limit ran out.
    func expiredVideo() throws -> Scene {
        let scene = try video()
        wait(.seconds(120))
        try run(ExpireSession(scene.session))
        return scene
    }

    /// A stream that began in a session.
    @discardableResult
    func stream(in scene: Scene) throws -> StreamID {
        let stream: StreamID = id()
        try run(start(stream, in: scene.session, from: .link(of: scene.caller)))
        return stream
    }

    /// The command that begins a stream.
    func start(
        _ stream: StreamID,
        in session: SessionID,
        from source: StartStream.Source,
        settings: StreamSettings = .medium
    ) -> StartStream {
        StartStream(
            stream,
            in: session,
            from: source,
            settings: settings,
            transport: .webSocket,
            codec: .vp9,
            file: "2026/11/2026-11-21-13-11-123456789.webm",
            timeZone: "UTC"
        )
    }

    /// A message with a temporary id.
    func message(
        _ text: String = "ambulance",
        in scene: Scene,
        as temporaryID: String = "t1",
        from sender: Sender? = nil
    ) -> SendMessage {
        SendMessage(
            text,
            in: scene.session,
            from: sender ?? .caller(scene.caller),
            temporaryID: temporaryID,
            clientTimestamp: "437647234",
            channel: .webSocket
        )
    }

    /// A report that somebody submitted.
    func report() throws -> ReportID { try run(submission()) }

    /// The command that submits a report.
    func submission(
        by reporter: PersonID? = nil,
        at fix: Fix = .birmingham,
        species: String = "harbour seal",
        photos: [SHA256Digest] = []
    ) -> SubmitReport {
        SubmitReport(
            by: reporter ?? person(),
            at: fix,
            species: species,
            sizeClass: .small,
            condition: .injured,
            notes: "near the pier",
            photos: photos
        )
    }

    /// An alert with an SMS part that waits.
    func alert() throws -> AlertID { try run(alarm(to: person())) }

    /// The command that queues an alert.
    func alarm(
        to contact: PersonID,
        about cause: Subject = .policy("tour-watch"),
        template: String = "tour-overdue",
        sms: PhoneNumber? = .first,
        email: String? = nil,
        severity: AlertQueued.Severity = .warning,
        key: String = "report-1",
        timeToLiveSeconds: Int = 600
    ) -> QueueAlert {
        QueueAlert(
            about: cause,
            severity: severity,
            template: template,
            to: contact,
            sms: sms,
            email: email,
            deduplicationKey: key,
            timeToLiveSeconds: timeToLiveSeconds
        )
    }

    /// A patrol point at the centre of Birmingham.
    func point() throws -> PatrolPointID {
        let point: PatrolPointID = id()
        try run(DefinePatrolPoint(point, as: .sample()))
        return point
    }

    /// A tour of three points: the first is due within ten minutes, the others ten minutes later each, with five of grace.
    func tour(isOrdered: Bool = true) throws -> (tour: TourID, points: [PatrolPointID]) {
        let tour: TourID = id()
        let points = try (0..<3).map { _ in try point() }
        try run(DefineTour(tour, as: .sample(points, isOrdered: isOrdered)))
        return (tour, points)
    }

    /// A round of such a tour on which the first point is late.
    func lateRound() throws -> (round: RoundID, points: [PatrolPointID]) {
        let (tour, points) = try tour()
        let round = try run(StartRound(of: tour, by: .mary))
        wait(.seconds(601))
        try run(PassRoundTime(round))
        return (round, points)
    }

    /// A user with an account, signed in.
    @discardableResult
    func user(_ user: UserID = .sam, as role: Role = .operator) throws -> PersonID {
        let person = person()
        try run(CreateUser(user, as: role, person: person, name: "Sam", password: .chosen))
        try run(LogIn(user, method: .password, address: "192.0.2.1"))
        return person
    }

    /// The command by which Sam gives a code for a person's number.
    func code(for person: PersonID, reason: String = "a new telephone") -> IssueDeviceCode {
        IssueDeviceCode(
            id(),
            of: person,
            phone: .first,
            by: Staff(.sam, as: .operator),
            reason: reason,
            expires: now + .seconds(900)
        )
    }

    /// A registered device.
    func device(of person: PersonID) throws -> DeviceID {
        let device: DeviceID = id()
        try run(registration(device, of: person))
        return device
    }

    /// A registered device that takes pushes, and may see a session that began before it.
    func subscribedDevice(
        of person: PersonID,
        admittedTo session: SessionID? = nil
    ) throws -> DeviceID {
        let device = try device(of: person)
        if let session { try run(AdmitDevice(device, to: session)) }
        try run(SubscribePush(device, by: id(), endpoint: .sample()))
        return device
    }

    /// The command that registers a device.
    func registration(_ device: DeviceID, of person: PersonID) -> RegisterDevice {
        RegisterDevice(
            device,
            of: person,
            phone: .first,
            verification: .operatorCode,
            codeGivenBy: .sam
        )
    }

    /// A person who was erased.
    func erasedPerson() throws -> PersonID {
        let person = try closedChat().caller
        try run(ErasePerson(person, reason: "asked for it"))
        return person
    }

    /// A request that waits for its answer.
    func request(_ ask: SessionRequestSent.Ask, in scene: Scene) throws -> RequestID {
        try run(SendRequest(scene.session, by: .sam, ask: ask)).request
    }

    /// A picture, by the caller unless another is named.
    func picture(
        in scene: Scene,
        from: Sender? = nil,
        as temporaryID: String = "p1"
    ) -> SendPicture {
        SendPicture(
            SendPicture.Picture(
                blob: SHA256Digest(bytes: [UInt8](repeating: 7, count: 32)),
                bytes: 81_000,
                mediaType: .jpeg,
                width: 4_032,
                height: 3_024
            ),
            as: id(),
            in: scene.session,
            from: from ?? .caller(scene.caller),
            temporaryID: temporaryID
        )
    }

    /// The caller's page shows a request.
    func opened(_ request: RequestID, in scene: Scene) -> MarkRequestOpened {
        MarkRequestOpened(request, in: scene.session, by: .caller(scene.caller))
    }
}

extension PatrolPointDefined {
    static func sample(radiusMetres: Double = 50, site: String = "Selly Oak") -> Self {
        PatrolPointDefined(
            site: site,
            name: "Gate 3",
            latitude: 52.4796,
            longitude: -1.9026,
            radiusMetres: radiusMetres
        )
    }
}

extension TourDefined {
    static func sample(
        _ points: [PatrolPointID],
        isOrdered: Bool = true,
        isRetired: Bool = false,
        schedule: Schedule? = nil
    ) -> TourDefined {
        TourDefined(
            site: "North",
            name: "Night",
            points: points.enumerated().map { place, point in
                Point(point: point, fromSeconds: place * 60, untilSeconds: (place + 1) * 600)
            },
            isOrdered: isOrdered,
            graceSeconds: 300,
            isRetired: isRetired,
            schedule: schedule
        )
    }
}
