// SPDX-License-Identifier: Apache-2.0
public import Media

/// The three qualities that a caller may send.
public enum QualityTier: String, Hashable, Sendable, CaseIterable {
    case low
    case medium
    case high

    public var size: PictureSize {
        switch self {
        case .low: PictureSize(width: 320, height: 180)
        case .medium: PictureSize(width: 640, height: 360)
        case .high: PictureSize(width: 1280, height: 720)
        }
    }

    public var kilobitsPerSecond: Int {
        switch self {
        case .low: 750
        case .medium: 1000
        case .high: 2500
        }
    }
}
