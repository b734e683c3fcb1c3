// SPDX-License-Identifier: Apache-2.0

extension VideoTrack {
    /// Finds the one video track in the data of a Tracks element.
    init(tracks data: ArraySlice<UInt8>, at offset: UInt64) throws {
        var found: VideoTrack?
        var count = 0
        var children = Children(of: data)
        while let (id, entry) = try children.next() {
            guard id == Element.trackEntry else { continue }
            count += 1
            guard count <= MediaLimits.tracksMax else { throw WebMError.tooManyTracks(count) }
            let track = try VideoTrack(entry: entry, at: offset)
            guard found == nil else { throw WebMError.secondVideoTrack }
            found = track
        }
        guard let found else { throw WebMError.noVideo }
        self = found
    }

    private init(entry: ArraySlice<UInt8>, at offset: UInt64) throws {
        var number: UInt64?
        var type: UInt64 = 0
        var codec = ""
        var size = (width: 0, height: 0)
        var children = Children(of: entry)
        while let (id, data) = try children.next() {
            switch id {
            case Element.trackNumber: number = data.ebmlUnsigned
            case Element.trackType: type = data.ebmlUnsigned ?? 0
            case Element.codecID: codec = String(data.ebmlText.prefix(32))
            case Element.video: size = try Self.size(data)
            case Element.contentEncodings: throw WebMError.encoded
            default: break
            }
        }
        guard type != 2 else { throw WebMError.audioTrack(codec: codec) }
        guard type == 1 else { throw WebMError.notVideo(trackType: type) }
        guard let known = VideoCodec(webM: codec) else { throw WebMError.codec(codec) }
        guard let number, number > 0 else {
            throw WebMError.malformed(element: Element.trackEntry, offset: offset)
        }
        self.init(number: number, codec: known, width: size.width, height: size.height)
    }

    private static func size(_ video: ArraySlice<UInt8>) throws -> (width: Int, height: Int) {
        var size = (width: 0, height: 0)
        var children = Children(of: video)
        while let (id, data) = try children.next() {
            let value = Int(min(data.ebmlUnsigned ?? 0, 65_535))
            if id == Element.pixelWidth { size.width = value }
            if id == Element.pixelHeight { size.height = value }
        }
        return size
    }
}
