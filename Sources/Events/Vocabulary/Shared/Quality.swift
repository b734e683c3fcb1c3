// SPDX-License-Identifier: Apache-2.0
/// The three tiers of video of the source document, each with its picture size and range of bit rates.
public enum Quality: String, Codable, Hashable, Sendable, CaseIterable {
    case low, medium, high

    /// Width and height in pixels.
    public var size: (width: Int, height: Int) {
        switch self {
        case .low: (320, 180)
        case .medium: (640, 360)
        case .high: (1280, 720)
        }
    }

    /// The bit rates allowed, in kb/s.
    public var kilobitsPerSecond: ClosedRange<Int> {
        switch self {
        case .low: 400...1000
        case .medium: 500...2000
        case .high: 1000...4000
        }
    }

    /// The bit rate to begin with, in kb/s.
    public var kilobitsPerSecondDefault: Int {
        switch self {
        case .low: 750
        case .medium: 1000
        case .high: 2500
        }
    }

    /// The highest number of frames per second of every tier.
    public static let framesPerSecondMax = 30
}
