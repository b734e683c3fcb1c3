// SPDX-License-Identifier: Apache-2.0
import Media
import MediaTesting
import TestSupport
import Testing

@Suite(.tags(.promise10)) struct `Refusing WebM` {
    private func error(of bytes: [UInt8]) -> WebMError? {
        do {
            _ = try WebMParser.frames(in: [bytes])
            return nil
        } catch {
            return error
        }
    }

    /// A file up to its first cluster, then what the closure writes.
    private func file(
        tracks: [UInt8]? = nil,
        _ body: (inout ElementWriter) -> Void = { _ in }
    ) throws -> [UInt8] {
        var file = ElementWriter()
        file.raw(TestWebM.head(docVersion: 4))
        file.openMaster(Element.segment)
        file.raw(try tracks ?? TestWebM.tracks(Samples.tiny()))
        body(&file)
        return file.bytes
    }

    private func cluster(_ body: (inout ElementWriter) -> Void) throws -> [UInt8] {
        try file {
            $0.openMaster(Element.cluster)
            $0.unsigned(Element.timestamp, 0)
            body(&$0)
        }
    }

    @Test func `names an audio track and the way out`() throws {
        let tracks = TestWebM.tracks(try Samples.tiny(), type: 2, codec: "A_OPUS")
        let refusal = error(of: try file(tracks: tracks))
        #expect(refusal == .audioTrack(codec: "A_OPUS"))
        #expect(refusal?.description.contains("audio: false") == true)
    }

    @Test func `names a codec it does not keep`() throws {
        let tracks = TestWebM.tracks(try Samples.tiny(), codec: "V_AV1")
        #expect(error(of: try file(tracks: tracks)) == .codec("V_AV1"))
    }

    @Test func `takes no lacing, encryption or foreign track`() throws {
        let laced = try cluster { $0.binary(Element.simpleBlock, [0x81, 0, 0, 0x06, 1, 2]) }
        let encrypted = try cluster { $0.binary(Element.encryptedBlock, [0x81, 0, 0, 0, 1]) }
        let foreign = try cluster { $0.binary(Element.simpleBlock, [0x82, 0, 0, 0x80, 1]) }
        let empty = try cluster { $0.binary(Element.simpleBlock, [0x81, 0, 0, 0x80]) }
        guard case .laced = error(of: laced), case .encrypted = error(of: encrypted),
            case .unknownTrack(2, _) = error(of: foreign), case .emptyFrame = error(of: empty)
        else {
            Issue.record("wrong refusals")
            return
        }
    }

    @Test func `takes no compressed track`() throws {
        var tracks = ElementWriter()
        tracks.master(Element.tracks) {
            $0.master(Element.trackEntry) {
                $0.unsigned(Element.trackNumber, 1)
                $0.unsigned(Element.trackType, 1)
                $0.text(Element.codecID, "V_VP9")
                $0.binary(Element.contentEncodings, [])
            }
        }
        #expect(error(of: try file(tracks: tracks.bytes)) == .encoded)
    }

    @Test func `bounds sizes before the bytes come`() throws {
        let block = try file {
            $0.openMaster(Element.cluster)
            $0.raw([0xA3, 0x08, 0x7F, 0xFF, 0xFF, 0xFF])
        }
        guard
            case .tooLarge(Element.simpleBlock, _, MediaLimits.frameBytesMax, _) = error(of: block)
        else {
            Issue.record("a block of 2 GiB was not refused")
            return
        }
        let unknown = try file {
            $0.openMaster(Element.cluster)
            $0.raw([0xA3, 0xFF])
        }
        guard case .unknownSize(Element.simpleBlock, _) = error(of: unknown) else {
            Issue.record("a block of unknown size was not refused")
            return
        }
    }

    @Test func `takes no second file, other document or cluster before its tracks`() throws {
        let second = try file { $0.raw(TestWebM.head(docVersion: 4)) }
        guard case .secondFile = error(of: second) else {
            Issue.record("a second file was not refused")
            return
        }
        var other = ElementWriter()
        other.master(Element.ebml) { $0.text(Element.docType, "matroska") }
        #expect(error(of: other.bytes) == .documentType("matroska"))
        var early = ElementWriter()
        early.raw(TestWebM.head(docVersion: 4))
        early.openMaster(Element.segment)
        early.openMaster(Element.cluster)
        guard case .noTracks = error(of: early.bytes) else {
            Issue.record("a cluster without tracks was not refused")
            return
        }
        #expect(error(of: Array("GET / HTTP/1.1".utf8)) == .notWebM(offset: 0))
    }
}
