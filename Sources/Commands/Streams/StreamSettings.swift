// SPDX-License-Identifier: Apache-2.0
public import Events

/// What a sender says about its picture before it sends, and when it changes it.
public struct StreamSettings: Hashable, Sendable {
    public let quality: Quality
    public let width: Int
    public let height: Int
    public let framesPerSecond: Int
    public let kilobitsPerSecond: Int
    /// `front`, `rear` or what the device calls it.
    public let camera: String?

    public init(
        quality: Quality,
        width: Int,
        height: Int,
        framesPerSecond: Int,
        kilobitsPerSecond: Int,
        camera: String? = nil
    ) {
        self.quality = quality
        self.width = width
        self.height = height
        self.framesPerSecond = framesPerSecond
        self.kilobitsPerSecond = kilobitsPerSecond
        self.camera = camera
    }

    /// The side of a VP9 frame, in pixels.
    static let sideMax = 16_384

    /// Checks that the bit rate lies in the tier's range and that there is a picture.
    ///
    /// A camera need not have the tier's exact size, but its tier bounds what it may send.
    func check<Refusal: Error>(else refuse: (InputFault) -> Refusal) throws(Refusal) {
        let rates = quality.kilobitsPerSecond
        try InputFault.check(
            rates.contains(kilobitsPerSecond),
            "kilobitsPerSecond",
            kilobitsPerSecond,
            allowed: "\(rates.lowerBound) to \(rates.upperBound) of the \(quality.rawValue) tier",
            else: refuse
        )
        try InputFault.check(
            (1...Quality.framesPerSecondMax).contains(framesPerSecond),
            "framesPerSecond",
            framesPerSecond,
            allowed: "1 to \(Quality.framesPerSecondMax)",
            else: refuse
        )
        for (field, side) in [("width", width), ("height", height)] {
            try InputFault.check(
                (1...Self.sideMax).contains(side),
                field,
                side,
                allowed: "1 to \(Self.sideMax)",
                else: refuse
            )
        }
        try InputFault.check(
            optional: camera,
            "camera",
            bytesMax: CommandLimits.wordBytesMax,
            else: refuse
        )
    }
}
