// SPDX-License-Identifier: Apache-2.0

/// What an administrator says of a camera.
public struct CameraSettings: Codable, Hashable, Sendable {
    /// The site that it belongs to, by name.
    public let site: String
    /// What the site's plan calls it (`Cam_id` in source 3): unique within the site.
    public let number: Int
    public let name: String
    /// 0 is the ground floor.
    public let floor: Int
    /// Degrees, WGS 84.
    public let latitude: Double
    public let longitude: Double
    public let source: Source
    /// `http:`, `https:`, `rtsp:` or `rtsps:`, without a user in it; `nil` where it is not known yet.
    public let address: String?
    public let user: String?
    /// The password, encrypted under the ledger's master key: base64url.
    public let secret: String?
    /// What is recorded: pixels, pictures a second, kilobits a second.
    public let width: Int
    public let height: Int
    public let framesPerSecond: Int
    public let kilobitsPerSecond: Int
    /// Footage older than so many days is removed.
    public let keptDays: Int
    /// Beyond so many bytes the oldest footage is removed.
    public let keptBytes: Int
    /// Where it stands on the page of its floor.
    public let frame: Frame
    /// The numbers of the cameras that are shown next.
    public let neighbours: Neighbours
    /// What a guard who looks at it should bear in mind.
    public let notice: String?
    /// How a page moves on to it (`Cam_animation_style`).
    public let animation: String?
    /// Who may look at it; nobody else may.
    public let viewers: [Viewers]
    public let isOn: Bool

    public init(
        site: String,
        number: Int,
        name: String,
        floor: Int,
        latitude: Double,
        longitude: Double,
        source: Source,
        address: String? = nil,
        user: String? = nil,
        secret: String? = nil,
        width: Int,
        height: Int,
        framesPerSecond: Int,
        kilobitsPerSecond: Int,
        keptDays: Int,
        keptBytes: Int,
        frame: Frame,
        neighbours: Neighbours,
        notice: String? = nil,
        animation: String? = nil,
        viewers: [Viewers],
        isOn: Bool
    ) {
        self.site = site
        self.number = number
        self.name = name
        self.floor = floor
        self.latitude = latitude
        self.longitude = longitude
        self.source = source
        self.address = address
        self.user = user
        self.secret = secret
        self.width = width
        self.height = height
        self.framesPerSecond = framesPerSecond
        self.kilobitsPerSecond = kilobitsPerSecond
        self.keptDays = keptDays
        self.keptBytes = keptBytes
        self.frame = frame
        self.neighbours = neighbours
        self.notice = notice
        self.animation = animation
        self.viewers = viewers
        self.isOn = isOn
    }

    /// How its pictures come.
    public enum Source: String, Codable, Hashable, Sendable, CaseIterable {
        /// Motion JPEG over HTTP.
        case mjpeg
        /// RTSP over TCP.
        case rtsp
    }

    /// A rectangle on a page, in its pixels: `Cam_x_coordination`, `Cam_y_coordination` and `Cam_farme_size` in source 3.
    public struct Frame: Codable, Hashable, Sendable {
        public let x: Int
        public let y: Int
        public let width: Int
        public let height: Int

        public init(x: Int, y: Int, width: Int, height: Int) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    /// Which camera is up, down, left and right of it, by their numbers.
    public struct Neighbours: Codable, Hashable, Sendable {
        public let up: Int?
        public let down: Int?
        public let left: Int?
        public let right: Int?

        public init(up: Int? = nil, down: Int? = nil, left: Int? = nil, right: Int? = nil) {
            (self.up, self.down, self.left, self.right) = (up, down, left, right)
        }
    }

    /// A role whose members may look, live and back, at some hours of the day.
    public struct Viewers: Codable, Hashable, Sendable {
        public let role: Role
        /// Minutes of the site's day, 0 to 1440; from what is not before until it goes over midnight.
        public let fromMinute: Int
        public let untilMinute: Int

        public init(role: Role, fromMinute: Int = 0, untilMinute: Int = 1440) {
            (self.role, self.fromMinute, self.untilMinute) = (role, fromMinute, untilMinute)
        }

        /// Whether a minute of the day is among its hours.
        public func isOpen(atMinute minute: Int) -> Bool {
            fromMinute < untilMinute
                ? (fromMinute..<untilMinute).contains(minute)
                : minute >= fromMinute || minute < untilMinute
        }
    }
}
