// SPDX-License-Identifier: Apache-2.0
public import Events

/// A caller joins a session by a one-use link, and the browser becomes a registered device.
public struct OpenLink: SessionCommand {
    public let session: SessionID
    public let link: LinkID
    public let device: DeviceID
    /// The number for which the session was opened.
    public let phone: PhoneNumber
    /// The browser's own key, base64, if it has one.
    public let publicKey: String?

    public init(
        _ link: LinkID,
        of session: SessionID,
        as device: DeviceID,
        phone: PhoneNumber,
        publicKey: String? = nil
    ) {
        self.session = session
        self.link = link
        self.device = device
        self.phone = phone
        self.publicKey = publicKey
    }

    /// Why the caller did not join.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case unknown(LinkID)
        case over(LinkID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "joining")
            case .unknown(let link):
                Problem(
                    .notFound,
                    "link-unknown",
                    "joining refused: the session has no link \(link); ask for a new one",
                    facts: ["link": "\(link)"]
                )
            case .over(let link):
                Problem(
                    .gone,
                    "link-over",
                    "joining refused: link \(link) was used, its time is over, or another operator has "
                        + "the session now; ask for a new one",
                    facts: ["link": "\(link)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    /// Refuses a key that no device has, before the link is used up for it.
    public static func check(publicKey: String?) throws(Refusal) {
        try InputFault.check(
            optional: publicKey,
            "publicKey",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try Self.check(publicKey: publicKey)
        // Nobody is erased while their session is open.
        let contact = try state.contact(at: context.now, else: Refusal.unavailable)
        guard let known = state.links[link] else { throw .unknown(link) }
        // Whoever claimed the session since need not trust whom another let in (decision 0052).
        guard known.openedBy == nil, context.now < known.expiresAt, state.isGood(known.giver)
        else { throw .over(link) }
        let registered = DeviceRegistered(
            person: contact.caller,
            phone: .open(phone, of: contact.caller),
            verification: .link,
            codeGivenBy: known.giver.user,
            publicKey: publicKey
        )
        return .record([
            .session(session, .linkOpened(SessionLinkOpened(link: link, device: device))),
            .device(device, .registered(registered)),
        ])
    }
}
