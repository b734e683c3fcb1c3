// SPDX-License-Identifier: Apache-2.0

/// The ids of EBML and Matroska elements that Daybook reads or writes (RFC 8794, RFC 9559).
public enum Element {
    public static let ebml: UInt32 = 0x1A45_DFA3
    public static let ebmlVersion: UInt32 = 0x4286
    public static let ebmlReadVersion: UInt32 = 0x42F7
    public static let ebmlMaxIDLength: UInt32 = 0x42F2
    public static let ebmlMaxSizeLength: UInt32 = 0x42F3
    public static let docType: UInt32 = 0x4282
    public static let docTypeVersion: UInt32 = 0x4287
    public static let docTypeReadVersion: UInt32 = 0x4285
    public static let void: UInt32 = 0xEC

    public static let segment: UInt32 = 0x1853_8067
    public static let seekHead: UInt32 = 0x114D_9B74
    public static let seek: UInt32 = 0x4DBB
    public static let seekID: UInt32 = 0x53AB
    public static let seekPosition: UInt32 = 0x53AC

    public static let info: UInt32 = 0x1549_A966
    public static let timestampScale: UInt32 = 0x2AD7B1
    public static let duration: UInt32 = 0x4489
    public static let dateUTC: UInt32 = 0x4461
    public static let muxingApp: UInt32 = 0x4D80
    public static let writingApp: UInt32 = 0x5741

    public static let tracks: UInt32 = 0x1654_AE6B
    public static let trackEntry: UInt32 = 0xAE
    public static let trackNumber: UInt32 = 0xD7
    public static let trackUID: UInt32 = 0x73C5
    public static let trackType: UInt32 = 0x83
    public static let flagLacing: UInt32 = 0x9C
    public static let codecID: UInt32 = 0x86
    public static let video: UInt32 = 0xE0
    public static let pixelWidth: UInt32 = 0xB0
    public static let pixelHeight: UInt32 = 0xBA
    public static let contentEncodings: UInt32 = 0x6D80

    public static let cluster: UInt32 = 0x1F43_B675
    public static let timestamp: UInt32 = 0xE7
    public static let simpleBlock: UInt32 = 0xA3
    public static let blockGroup: UInt32 = 0xA0
    public static let block: UInt32 = 0xA1
    public static let blockDuration: UInt32 = 0x9B
    public static let referenceBlock: UInt32 = 0xFB
    public static let encryptedBlock: UInt32 = 0xAF

    public static let cues: UInt32 = 0x1C53_BB6B
    public static let cuePoint: UInt32 = 0xBB
    public static let cueTime: UInt32 = 0xB3
    public static let cueTrackPositions: UInt32 = 0xB7
    public static let cueTrack: UInt32 = 0xF7
    public static let cueClusterPosition: UInt32 = 0xF1

    public static let tags: UInt32 = 0x1254_C367
    public static let chapters: UInt32 = 0x1043_A770
    public static let attachments: UInt32 = 0x1941_A469

    /// Whether the element stands directly in a Segment, so that it ends a cluster of unknown size.
    static func isSegmentChild(_ id: UInt32) -> Bool {
        switch id {
        case seekHead, info, tracks, cluster, cues, tags, chapters, attachments: true
        default: false
        }
    }
}
