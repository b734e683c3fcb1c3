// SPDX-License-Identifier: Apache-2.0
public import Events

/// An administrator sets a camera up, or changes it.
public struct SetCamera: Command {
    public let camera: CameraID
    public let settings: CameraSettings

    public init(_ camera: CameraID, to settings: CameraSettings) {
        self.camera = camera
        self.settings = settings
    }

    /// Why it was not set up.
    public enum Refusal: CommandRefusal {
        /// It is another organisation's.
        case unknown(CameraID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let camera):
                Problem(
                    .notFound,
                    "camera-unknown",
                    "setting up refused: there is no camera \(camera); choose one of the list",
                    facts: ["camera": "\(camera)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .camera(camera) }

    /// Nobody's but the asker's: what another organisation has is refused, not written there.
    public var owned: Subject? { nil }

    public func read(_ ledger: inout LedgerView) throws -> Camera {
        try ledger.read(Camera.self, camera)
    }

    public func decide(
        _ state: Camera,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.organisation.map({ $0 == context.organisation }) ?? true else {
            throw .unknown(camera)
        }
        try checkTexts()
        for range in CameraLimits.ranges(of: settings) {
            try InputFault.check(
                range.isKept,
                range.field,
                range.value,
                allowed: range.allowed,
                else: Refusal.unacceptable
            )
        }
        try InputFault.check(
            settings.hasAddress,
            "address",
            settings.address ?? "none",
            allowed:
                "an address of \(settings.source.rawValue) without user and password, or none while it is off",
            else: Refusal.unacceptable
        )
        guard state.settings != settings else { return .already(()) }
        return .record([.camera(camera, .set(CameraSet(settings: settings)))])
    }

    private func checkTexts() throws(Refusal) {
        for (field, text) in [("site", settings.site), ("name", settings.name)] {
            try InputFault.check(
                text,
                field,
                bytesMax: CommandLimits.wordBytesMax,
                else: Refusal.unacceptable
            )
        }
        let optional = [
            ("address", settings.address, CameraLimits.addressBytesMax),
            ("user", settings.user, CommandLimits.wordBytesMax),
            ("secret", settings.secret, CameraLimits.addressBytesMax),
            ("animation", settings.animation, CommandLimits.wordBytesMax),
            ("notice", settings.notice, CommandLimits.messageBytesMax),
        ]
        for (field, text, most) in optional {
            try InputFault.check(optional: text, field, bytesMax: most, else: Refusal.unacceptable)
        }
    }
}

/// What a camera's settings may be.
public enum CameraLimits {
    /// An address, in bytes.
    public static let addressBytesMax = 1_024
    /// Footage of one span that an incident keeps, in seconds.
    public static let keptSpanSecondsMax: Int64 = 21_600
    /// Spans of footage that one incident keeps.
    public static let spansPerIncidentMax = 200
    /// The least room that a camera's footage may have: a day of very small pictures.
    public static let keptBytesMin = 1 << 30

    /// A number of the settings, and whether it may be so.
    struct Range {
        let field: String
        let value: Int
        let allowed: String
        let isKept: Bool

        init(_ field: String, _ value: Int, _ allowed: ClosedRange<Int>) {
            self.field = field
            self.value = value
            self.allowed = "\(allowed.lowerBound) to \(allowed.upperBound)"
            isKept = allowed.contains(value)
        }
    }

    static func ranges(of settings: CameraSettings) -> [Range] {
        let neighbours = settings.neighbours
        let around = [neighbours.up, neighbours.down, neighbours.left, neighbours.right]
        return [
            Range("number", settings.number, 0...999_999),
            Range("floor", settings.floor, -20...300),
            Range("latitude", Int(clamping: settings.latitude), -90...90),
            Range("longitude", Int(clamping: settings.longitude), -180...180),
            Range("width", settings.width, 160...1920),
            Range("height", settings.height, 90...1080),
            Range("framesPerSecond", settings.framesPerSecond, 1...30),
            Range("kilobitsPerSecond", settings.kilobitsPerSecond, 50...8_000),
            Range("keptDays", settings.keptDays, 1...3_650),
            Range("keptBytes", settings.keptBytes, keptBytesMin...(1 << 50)),
            Range("viewers", settings.viewers.count, 0...16),
            Range("frame.x", settings.frame.x, 0...20_000),
            Range("frame.y", settings.frame.y, 0...20_000),
            Range("frame.width", settings.frame.width, 16...4_096),
            Range("frame.height", settings.frame.height, 16...4_096),
        ] + around.compactMap(\.self).map { Range("neighbours", $0, 0...999_999) }
            + settings.viewers.flatMap {
                [
                    Range("viewers.fromMinute", $0.fromMinute, 0...1_440),
                    Range("viewers.untilMinute", $0.untilMinute, 0...1_440),
                ]
            }
    }
}

extension CameraSettings {
    /// Whether its address begins as its source wants and names no user.
    fileprivate var hasAddress: Bool {
        guard let address else { return !isOn }
        let schemes =
            switch source {
            case .mjpeg: ["http://", "https://"]
            case .rtsp: ["rtsp://", "rtsps://"]
            }
        guard let scheme = schemes.first(where: { address.lowercased().hasPrefix($0) }) else {
            return false
        }
        let host = address.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return !host.isEmpty && !host.contains("@")
            && address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

extension Int {
    /// A number of degrees as whole ones, away from zero; far off for what is none.
    fileprivate init(clamping degrees: Double) {
        self =
            degrees.isFinite && degrees.magnitude <= 1_000
            ? Int(degrees.rounded(.awayFromZero)) : 1_000
    }
}
