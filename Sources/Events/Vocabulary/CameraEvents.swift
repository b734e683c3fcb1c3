// SPDX-License-Identifier: Apache-2.0

/// What can happen to a camera that the gateway records, and to its footage.
public enum CameraEvent: EventFamily {
    case set(CameraSet)
    case standingChanged(CameraStandingChanged)
    case minuteArchived(CameraMinuteArchived)
    case footageExpired(CameraFootageExpired)

    public static let kinds: [any EventPayload.Type] = [
        CameraSet.self, CameraStandingChanged.self, CameraMinuteArchived.self,
        CameraFootageExpired.self,
    ]

    public var fact: Fact { .camera(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .set(let payload): payload
        case .standingChanged(let payload): payload
        case .minuteArchived(let payload): payload
        case .footageExpired(let payload): payload
        }
    }
}

/// An administrator set a camera up, or changed it.
public struct CameraSet: EventPayload {
    public static let row = EventKind(
        "camera.set/1",
        CameraEvent.set,
        audience: .supervision,
        summary: [.init("name", \.settings.name), .init("site", \.settings.site)]
    )

    public let settings: CameraSettings

    public init(settings: CameraSettings) {
        self.settings = settings
    }

    public var links: [SubjectLink] { [] }
}

/// A camera gives pictures, or gives none, or always the same one.
public struct CameraStandingChanged: EventPayload {
    public static let row = EventKind(
        "camera.standing_changed/1",
        CameraEvent.standingChanged,
        audience: .desk,
        summary: [.init("standing", \.standing), .init("cause", \.causeWord)]
    )

    public let standing: Standing
    /// Why there are none; `nil` where there are some.
    public let cause: Cause?
    /// The size of the camera's own pictures, in pixels; `nil` where there are none.
    public let width: Int?
    public let height: Int?

    /// For people.
    var causeWord: String? { cause?.rawValue }

    public init(standing: Standing, cause: Cause? = nil, width: Int? = nil, height: Int? = nil) {
        self.standing = standing
        self.cause = cause
        self.width = width
        self.height = height
    }

    public var links: [SubjectLink] { [] }

    /// What it gives.
    public enum Standing: String, Codable, Hashable, Sendable, CaseIterable {
        case online, offline
        /// Pictures come, and each is like the one before.
        case frozen
    }

    /// Why no pictures come.
    public enum Cause: String, Codable, Hashable, Sendable, CaseIterable {
        /// Its address cannot be reached.
        case address
        case password
        /// There is nothing at the path of its address.
        case path
        /// What comes is no video that is known.
        case type
        case silent
        /// It ended the connection.
        case ended
        /// It was switched off by an administrator, or the gateway ended.
        case off
        /// Its pictures cannot be kept: the disk is full, or the folder is away.
        case storage
        /// The program that reads it failed.
        case `internal`
    }
}

/// A minute of a camera's footage, or what there was of it, is on disk.
public struct CameraMinuteArchived: EventPayload {
    public static let row = EventKind(
        "camera.minute_archived/1",
        CameraEvent.minuteArchived,
        audience: .desk
    )

    /// Path below the media folder: one file for each hour.
    public let file: String
    /// Where the minute begins in the file, in bytes.
    public let offset: Int
    /// Bytes, from there.
    public let length: Int
    /// The clusters in it.
    public let clusters: Int
    public let frames: Int
    /// SHA-256 over the SHA-256 digests of the clusters, 64 lower-case hexadecimal digits each, in their order.
    public let digest: SHA256Digest
    /// When its first picture and its last were taken.
    public let firstAt: Timestamp
    public let lastAt: Timestamp
    /// Milliseconds without a picture, in holes of two seconds and more between those two.
    public let missingMilliseconds: Int

    public init(
        file: String,
        offset: Int,
        length: Int,
        clusters: Int,
        frames: Int,
        digest: SHA256Digest,
        firstAt: Timestamp,
        lastAt: Timestamp,
        missingMilliseconds: Int
    ) {
        self.file = file
        self.offset = offset
        self.length = length
        self.clusters = clusters
        self.frames = frames
        self.digest = digest
        self.firstAt = firstAt
        self.lastAt = lastAt
        self.missingMilliseconds = missingMilliseconds
    }

    public var links: [SubjectLink] { [] }

    /// Shorter holes between pictures are not told.
    public static let holeMicrosecondsMin = 2_000_000
}

/// An hour of a camera's footage was removed, for its time was over or the room was needed.
public struct CameraFootageExpired: EventPayload {
    public static let row = EventKind(
        "camera.footage_expired/1",
        CameraEvent.footageExpired,
        audience: .supervision,
        summary: [.init("cause", \.cause)]
    )

    /// As ``CameraMinuteArchived/file``.
    public let file: String
    /// The size of the file, in bytes.
    public let bytes: Int
    public let cause: Cause

    public init(file: String, bytes: Int, cause: Cause) {
        (self.file, self.bytes, self.cause) = (file, bytes, cause)
    }

    public var links: [SubjectLink] { [] }

    /// What asked for it.
    public enum Cause: String, Codable, Hashable, Sendable, CaseIterable {
        /// It was older than the camera keeps.
        case days
        /// The camera had more than it may have.
        case space
    }
}
