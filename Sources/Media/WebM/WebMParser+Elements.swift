// SPDX-License-Identifier: Apache-2.0

extension WebMParser {
    /// A whole element.
    struct Body {
        let id: UInt32
        /// Where it begins in the stream.
        let at: UInt64
        let data: ArraySlice<UInt8>
    }

    /// What is done with an element.
    enum Disposition {
        /// A master whose children are read as they come.
        case enter
        /// Read when it is there as a whole, if not above the limit in bytes.
        case read(limit: Int)
        /// Of no interest.
        case skip
    }

    func disposition(of header: ElementHeader) throws(WebMError) -> Disposition {
        if header.id == Element.void, hasHead { return .skip }
        switch level {
        case .file: return try fileDisposition(header)
        case .segment: return try segmentDisposition(header)
        case .cluster: return try clusterDisposition(header)
        }
    }

    private func fileDisposition(_ header: ElementHeader) throws(WebMError) -> Disposition {
        switch header.id {
        case Element.ebml where !hasHead: return .read(limit: MediaLimits.headElementBytesMax)
        case Element.ebml: throw .secondFile(offset: offset)
        case Element.segment where hasHead && !hasSegment: return .enter
        case _ where !hasHead: throw .notWebM(offset: offset)
        default: throw .unexpected(element: header.id, offset: offset)
        }
    }

    private func segmentDisposition(_ header: ElementHeader) throws(WebMError) -> Disposition {
        switch header.id {
        case Element.info, Element.tracks: return .read(limit: MediaLimits.headElementBytesMax)
        case Element.cluster:
            guard track != nil else { throw .noTracks(offset: offset) }
            return .enter
        case Element.ebml: throw .secondFile(offset: offset)
        case Element.segment, Element.simpleBlock, Element.blockGroup:
            throw .unexpected(element: header.id, offset: offset)
        default: return .skip
        }
    }

    private func clusterDisposition(_ header: ElementHeader) throws(WebMError) -> Disposition {
        switch header.id {
        case Element.timestamp: return .read(limit: 8)
        case Element.simpleBlock, Element.blockGroup:
            return .read(limit: MediaLimits.frameBytesMax)
        case Element.encryptedBlock: throw .encrypted(offset: offset)
        case Element.ebml: throw .secondFile(offset: offset)
        case Element.segment, Element.block:
            throw .unexpected(element: header.id, offset: offset)
        // An element of the Segment inside a cluster of known size has no place there.
        case _ where Element.isSegmentChild(header.id):
            throw .unexpected(element: header.id, offset: offset)
        default: return .skip
        }
    }

    /// Takes in a whole element; the offset already stands behind it.
    mutating func take(_ body: Body) throws(WebMError) -> VideoFrame? {
        do {
            switch body.id {
            case Element.ebml: try takeHead(body)
            case Element.info: try takeInfo(body)
            case Element.tracks: try takeTracks(body)
            case Element.timestamp: clusterTimestamp = body.data.ebmlUnsigned
            case Element.simpleBlock: return try frame(body.data, of: body, group: nil)
            case Element.blockGroup: return try takeBlockGroup(body)
            default: break
            }
        } catch let error as WebMError {
            throw error
        } catch {
            throw .malformed(element: body.id, offset: body.at)
        }
        return nil
    }

    private mutating func takeHead(_ body: Body) throws {
        var type = "matroska"
        var children = Children(of: body.data)
        while let (id, data) = try children.next() {
            switch id {
            case Element.docType: type = data.ebmlText
            case Element.ebmlMaxIDLength where data.ebmlUnsigned ?? 9 > 4,
                Element.ebmlMaxSizeLength where data.ebmlUnsigned ?? 9 > 8:
                throw WebMError.malformed(element: id, offset: body.at)
            default: break
            }
        }
        guard type == "webm" else { throw WebMError.documentType(String(type.prefix(32))) }
        hasHead = true
    }

    private mutating func takeInfo(_ body: Body) throws {
        var children = Children(of: body.data)
        while let (id, data) = try children.next() {
            guard id == Element.timestampScale else { continue }
            guard let scale = data.ebmlUnsigned, (1...1_000_000_000).contains(scale) else {
                throw WebMError.timestampOutOfRange(offset: body.at)
            }
            timestampScale = scale
        }
    }

    private mutating func takeTracks(_ body: Body) throws {
        let found = try VideoTrack(tracks: body.data, at: body.at)
        guard track == nil || track == found else { throw WebMError.tracksAgain(offset: body.at) }
        track = found
    }

    private func takeBlockGroup(_ body: Body) throws -> VideoFrame? {
        var block: ArraySlice<UInt8>?
        var refersBack = false
        var children = Children(of: body.data)
        while let (id, data) = try children.next() {
            switch id {
            case Element.block: block = data
            case Element.referenceBlock: refersBack = true
            default: break
            }
        }
        guard let block else { throw WebMError.malformed(element: body.id, offset: body.at) }
        return try frame(block, of: body, group: Group(refersBack: refersBack))
    }

    /// What a BlockGroup says of its block.
    private struct Group {
        let refersBack: Bool
    }

    /// Reads a block: track, int16 time, flags, picture (RFC 9559 §10).
    private func frame(_ block: ArraySlice<UInt8>, of body: Body, group: Group?) throws
        -> VideoFrame
    {
        guard let track, let first = block.first else {
            throw WebMError.malformed(element: body.id, offset: body.at)
        }
        let numberLength = first.leadingZeroBitCount + 1
        guard numberLength <= 8, block.count >= numberLength + 3 else {
            throw WebMError.malformed(element: body.id, offset: body.at)
        }
        let marked = block.prefix(numberLength).ebmlUnsigned ?? 0
        let number = marked & ((UInt64(1) << (7 * UInt64(numberLength))) - 1)
        guard number == track.number else { throw WebMError.unknownTrack(number, offset: body.at) }
        let rest = block.dropFirst(numberLength)
        let i = rest.startIndex
        let relative = Int16(bitPattern: UInt16(rest[i]) << 8 | UInt16(rest[i + 1]))
        let flags = rest[i + 2]
        guard flags & 0x06 == 0 else { throw WebMError.laced(offset: body.at) }
        let picture = rest.dropFirst(3)
        guard !picture.isEmpty else { throw WebMError.emptyFrame(offset: body.at) }
        guard let next = position else {
            throw WebMError.malformed(element: body.id, offset: body.at)
        }
        return VideoFrame(
            milliseconds: try milliseconds(relative, at: body.at),
            isMarkedKey: group.map { !$0.refersBack } ?? (flags & 0x80 != 0),
            bytes: Array(picture),
            payloadOffset: offset - UInt64(body.data.endIndex - picture.startIndex),
            next: next
        )
    }

    private func milliseconds(_ relative: Int16, at: UInt64) throws -> Int64 {
        guard let clusterTimestamp else { throw WebMError.noClusterTimestamp(offset: at) }
        let ticks = Int64(exactly: clusterTimestamp)?.addingReportingOverflow(Int64(relative))
        guard let ticks, !ticks.overflow else { throw WebMError.timestampOutOfRange(offset: at) }
        let nanoseconds = ticks.partialValue.multipliedReportingOverflow(by: Int64(timestampScale))
        guard !nanoseconds.overflow else { throw WebMError.timestampOutOfRange(offset: at) }
        return Int64((Double(nanoseconds.partialValue) / 1_000_000).rounded())
    }
}
