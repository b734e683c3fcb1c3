// SPDX-License-Identifier: Apache-2.0

/// What can happen in a channel, in which the members of a team write to each other.
public enum ChannelEvent: EventFamily {
    case set(ChannelSet)
    case messageSent(ChannelMessageSent)
    case read(ChannelRead)

    public static let kinds: [any EventPayload.Type] = [
        ChannelSet.self, ChannelMessageSent.self, ChannelRead.self,
    ]

    public var fact: Fact { .channel(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .set(let payload): payload
        case .messageSent(let payload): payload
        case .read(let payload): payload
        }
    }
}

/// An administrator opened a channel, or changed it.
public struct ChannelSet: EventPayload {
    public static let row = EventKind(
        "channel.set/1",
        ChannelEvent.set,
        audience: .supervision,
        summary: [.init("name", \.name), .init("site", \.site)]
    )

    public let name: String
    /// The site that it is about, as cameras name it; `nil` for the whole organisation.
    public let site: String?
    /// The roles whose users are its members.
    public let members: [Role]
    /// A closed one takes no more messages, and only managers see it.
    public let isOpen: Bool

    public init(name: String, site: String? = nil, members: [Role], isOpen: Bool) {
        self.name = name
        self.site = site
        self.members = members
        self.isOpen = isOpen
    }

    public var links: [SubjectLink] { [] }
}

/// A member wrote to the channel, or showed what a camera saw.
public struct ChannelMessageSent: EventPayload {
    public static let row = EventKind(
        "channel.message_sent/1",
        ChannelEvent.messageSent,
        audience: .supervision,
        linksDigest: 0x40FF_9595,
        summary: [
            .init("author", \.author), .init("text", \.text), .init("camera", \.cameraName),
            .init("at", \.cameraTime),
        ]
    )

    /// Counts the messages of the channel, from 1.
    public let number: Int
    public let author: UserID
    /// Whose key seals the text and the still: the author's person.
    public let person: PersonID
    /// `nil` for a moment without words.
    public let text: Sealed<String>?
    public let moment: Moment?

    var cameraName: String? { moment?.name }
    var cameraTime: Timestamp? { moment?.at }

    public init(
        number: Int,
        author: UserID,
        person: PersonID,
        text: Sealed<String>?,
        moment: Moment?
    ) {
        self.number = number
        self.author = author
        self.person = person
        self.text = text
        self.moment = moment
    }

    public var links: [SubjectLink] { [.about(.user(author))] }

    /// A moment of a camera, with the picture of it: the footage is removed one day, the still stays.
    public struct Moment: Codable, Hashable, Sendable {
        public let camera: CameraID
        /// What the camera was called then.
        public let name: String
        public let at: Timestamp
        /// The digest of the encrypted JPEG, which is its name in the blob folder.
        public let still: SHA256Digest
        /// The length of the encrypted JPEG.
        public let stillBytes: Int

        public init(
            camera: CameraID,
            name: String,
            at: Timestamp,
            still: SHA256Digest,
            stillBytes: Int
        ) {
            self.camera = camera
            self.name = name
            self.at = at
            self.still = still
            self.stillBytes = stillBytes
        }
    }
}

/// A member has read the channel up to a message.
public struct ChannelRead: EventPayload {
    public static let row = EventKind(
        "channel.read/1",
        ChannelEvent.read,
        audience: .supervision
    )

    public let reader: UserID
    /// The number of the newest message that was shown.
    public let through: Int

    public init(reader: UserID, through: Int) {
        (self.reader, self.through) = (reader, through)
    }

    public var links: [SubjectLink] { [] }
}
