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
    /// Whether the light beside the camera is on; `nil` for a sender who does not say.
    public let isLit: Bool?

    public init(
        quality: Quality,
        width: Int,
        height: Int,
        framesPerSecond: Int,
        kilobitsPerSecond: Int,
        camera: String? = nil,
        isLit: Bool? = nil
    ) {
        self.quality = quality
        self.width = width
        self.height = height
        self.framesPerSecond = framesPerSecond
        self.kilobitsPerSecond = kilobitsPerSecond
        self.camera = camera
        self.isLit = isLit
    }

    /// These, with what they do not say as it was known.
    public func completed(by known: StreamSettings) -> StreamSettings {
        StreamSettings(
            quality: quality,
            width: width,
            height: height,
            framesPerSecond: framesPerSecond,
            kilobitsPerSecond: kilobitsPerSecond,
            camera: camera ?? known.camera,
            isLit: isLit ?? known.isLit
        )
    }

    /// Whether size, rate and tier are the same.
    public func isSamePicture(as other: StreamSettings) -> Bool {
        (quality, width, height) == (other.quality, other.width, other.height)
            && (framesPerSecond, kilobitsPerSecond)
                == (other.framesPerSecond, other.kilobitsPerSecond)
    }

    /// Checks that the bit rate lies in the tier's range and that the picture is no larger than its tier's, upright or not.
    ///
    /// A camera need not have the tier's exact size: its tier bounds what it may send.
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
        try checkSize(else: refuse)
        try InputFault.check(
            optional: camera,
            "camera",
            bytesMax: CommandLimits.wordBytesMax,
            else: refuse
        )
    }

    /// Checks that the longer side is no longer than the tier's longer one, and the shorter no longer than its shorter one.
    private func checkSize<Refusal: Error>(else refuse: (InputFault) -> Refusal) throws(Refusal) {
        let isUpright = height > width
        let (long, short) = quality.size
        for (field, side, most) in [
            ("width", width, isUpright ? short : long),
            ("height", height, isUpright ? long : short),
        ] {
            try InputFault.check(
                (1...most).contains(side),
                field,
                side,
                allowed:
                    "1 to \(most): the \(quality.rawValue) tier has at most \(long) × \(short), or \(short) × \(long) upright",
                else: refuse
            )
        }
    }
}
