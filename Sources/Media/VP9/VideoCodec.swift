// SPDX-License-Identifier: Apache-2.0

/// The codecs that the archive takes.
public enum VideoCodec: String, Hashable, Sendable, CaseIterable {
    case vp9
    case vp8

    /// The codec of a WebM codec id.
    init?(webM id: String) {
        guard let codec = Self.allCases.first(where: { $0.webM == id }) else { return nil }
        self = codec
    }

    /// The id that WebM spells it by.
    public var webM: String {
        switch self {
        case .vp9: "V_VP9"
        case .vp8: "V_VP8"
        }
    }
}
