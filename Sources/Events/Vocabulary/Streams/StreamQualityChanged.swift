// SPDX-License-Identifier: Apache-2.0
/// The sender changed tier, size or bit rate.
public struct StreamQualityChanged: EventPayload {
    public static let kind: Kind = "stream.quality_changed/1"

    public let quality: Quality
    public let width: Int
    public let height: Int
    public let framesPerSecond: Int
    public let kilobitsPerSecond: Int
    public let camera: String?
    public let cause: Cause

    public init(
        quality: Quality,
        width: Int,
        height: Int,
        framesPerSecond: Int,
        kilobitsPerSecond: Int,
        camera: String? = nil,
        cause: Cause
    ) {
        self.quality = quality
        self.width = width
        self.height = height
        self.framesPerSecond = framesPerSecond
        self.kilobitsPerSecond = kilobitsPerSecond
        self.camera = camera
        self.cause = cause
    }

    /// Who wanted it.
    public enum Cause: String, Codable, Hashable, Sendable, CaseIterable {
        case user
        case automatic
        case `operator`
    }
}
