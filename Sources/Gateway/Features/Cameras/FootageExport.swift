// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Media
import NIOCore
import Projections

import struct Crypto.SHA256

/// Kept footage as files, and what proves them: each minute's entry in the log, and the digests of its clusters.
///
/// An exported file is the head of the archived one and whole minutes of clusters, byte for byte. So a reader who has it and the
/// proof needs nobody to see that the pictures are those that the log names, and that the log is what its checkpoint signs.
struct FootageExport: Sendable {
    let ledger: Ledger
    let answers: FootageAnswers
    let proofs: ProofDesk

    /// The minutes of one hour that touch a kept span.
    struct Hour: Sendable {
        let name: FootageName
        let span: ClosedRange<Timestamp>
        fileprivate(set) var minutes: [Minute] = []

        var body: HourBody {
            HourBody(
                startedAt: name.hour,
                firstAt: max(span.lowerBound, minutes.first?.fact.firstAt ?? span.lowerBound),
                lastAt: min(span.upperBound, minutes.last?.fact.lastAt ?? span.upperBound),
                bytes: minutes.reduce(0) { $0 + $1.fact.length },
                missingMilliseconds: minutes.reduce(0) { $0 + $1.fact.missingMilliseconds }
            )
        }
    }

    /// A minute of footage, and what the log says of it.
    struct Minute: Sendable {
        let entry: Entry
        let fact: CameraMinuteArchived

        /// Whether a cluster is one of it.
        func has(_ chunk: ChunkPlace) -> Bool {
            (fact.offset..<fact.offset + fact.length).contains(Int(clamping: chunk.offset))
        }
    }

    struct HourBody: Encodable {
        let startedAt: Timestamp
        let firstAt: Timestamp
        let lastAt: Timestamp
        let bytes: Int
        let missingMilliseconds: Int
    }

    /// What there still is of a kept span, hour by hour: the newest minute comes when it is over.
    func hours(of kept: KeptFootage) async throws -> [Hour] {
        let files = try await ledger.readModels.cameras.footage(
            of: kept.camera,
            from: kept.firstAt,
            until: kept.lastAt
        )
        let there = Set(files.map(\.file))
        var hours: [Hour] = []
        for minute in try minutes(of: kept) where there.contains(minute.fact.file) {
            guard let name = FootageName(minute.fact.file) else { continue }
            if hours.last?.name != name { hours.append(Hour(name: name, span: kept.span)) }
            hours[hours.count - 1].minutes.append(minute)
        }
        return hours
    }

    /// Finds the entries by the time at which they were recorded: a minute is recorded after its last picture.
    private func minutes(of kept: KeptFootage) throws -> [Minute] {
        let camera = Subject.camera(kept.camera)
        let log = ledger.log
        var found: [Minute] = []
        var next = try log.firstRevision(of: camera, from: try log.position(at: kept.firstAt))
        while true {
            let page = try log.entries(of: camera, from: next)
            for entry in page {
                guard
                    case .camera(.minuteArchived(let fact)) = try EventDecoder().decode(entry).fact
                else { continue }
                guard fact.firstAt <= kept.lastAt else { return found }
                if fact.lastAt >= kept.firstAt { found.append(Minute(entry: entry, fact: fact)) }
            }
            guard let last = page.last else { return found }
            next = last.envelope.revision.next
        }
    }

    // MARK: - The film

    /// The film of one hour as a file.
    ///
    /// - Throws: What reading the file throws.
    func film(
        _ hour: Hour,
        stillMay: @escaping @Sendable () async throws -> Void
    ) async throws -> Response {
        let file = answers.reader(hour.name)
        let chunks = try await file.chunks().filter { chunk in
            hour.minutes.contains { $0.has(chunk) }
        }
        guard !chunks.isEmpty, let head = try await file.initialisation() else {
            throw Problem(.notFound, detail: "there is no footage in that hour")
        }
        var headers: HTTPFields = [.contentType: FootageAnswers.mime, .cacheControl: "no-store"]
        headers[.contentDisposition] = "attachment; filename=\"\(Self.fileName(hour.name))\""
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(bytes: head))
                for chunk in chunks {
                    try await stillMay()
                    try await writer.write(ByteBuffer(bytes: try await file.cluster(chunk)))
                }
                try await writer.finish(nil)
            }
        )
    }

    private static func fileName(_ name: FootageName) -> String {
        let hour = "\(name.hour)".prefix(13).replacing("T", with: "-")
        return "camera-\(name.camera)-\(hour).webm"
    }

    // MARK: - The proof

    private struct ProofBody: Encodable {
        let incident: IncidentID
        let camera: CameraID
        let name: String
        let from: Timestamp
        let until: Timestamp
        /// The signed note that each minute's proof leads to.
        let checkpoint: String
        let files: [FileBody]
    }

    private struct FileBody: Encodable {
        let hour: Timestamp
        let name: String
        let sha256: SHA256Digest
        let bytes: Int
        /// Bytes before the first cluster.
        let head: Int
        let minutes: [MinuteBody]
    }

    private struct MinuteBody: Encodable {
        let position: LogPosition
        /// The entry's own bytes, which are the leaf of the tree.
        let entry: String
        /// The siblings from the leaf to the root, base64.
        let proof: [String]
        let clusters: [ClusterBody]
    }

    private struct ClusterBody: Encodable {
        /// In the exported file.
        let offset: Int
        let length: Int
        let sha256: SHA256Digest
    }

    /// What proves the files of a span.
    ///
    /// - Throws: 404 while no checkpoint covers them; what reading the files throws.
    func proof(
        of kept: KeptFootage,
        _ hours: [Hour],
        for reader: Principal,
        stillMay: @Sendable () async throws -> Void
    ) async throws -> Response {
        let positions = hours.flatMap(\.minutes).map(\.entry.envelope.position)
        let (hashes, checkpoint) = try await proofs.inclusion(of: positions, for: reader)
        var files: [FileBody] = []
        for hour in hours { files.append(try await file(hour, hashes, stillMay)) }
        let body = ProofBody(
            incident: kept.incident,
            camera: kept.camera,
            name: kept.name,
            from: kept.firstAt,
            until: kept.lastAt,
            checkpoint: checkpoint,
            files: files
        )
        var response = try Response.json(body)
        let name = "camera-\(kept.camera)-\(kept.position)-proof.json"
        response.headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        return response
    }

    private func file(
        _ hour: Hour,
        _ hashes: [LogPosition: [String]],
        _ stillMay: @Sendable () async throws -> Void
    ) async throws -> FileBody {
        let file = answers.reader(hour.name)
        let chunks = try await file.chunks()
        let head = try await file.initialisation() ?? []
        var whole = SHA256()
        whole.update(data: head)
        var end = head.count
        var minutes: [MinuteBody] = []
        for minute in hour.minutes {
            var clusters: [ClusterBody] = []
            for chunk in chunks where minute.has(chunk) {
                try await stillMay()
                let bytes = try await file.cluster(chunk)
                whole.update(data: bytes)
                let sha256 = SHA256Digest(of: Data(bytes))
                clusters.append(ClusterBody(offset: end, length: bytes.count, sha256: sha256))
                end += bytes.count
            }
            let position = minute.entry.envelope.position
            minutes.append(
                MinuteBody(
                    position: position,
                    entry: String(decoding: minute.entry.bytes, as: UTF8.self),
                    proof: hashes[position] ?? [],
                    clusters: clusters
                )
            )
        }
        return FileBody(
            hour: hour.name.hour,
            name: Self.fileName(hour.name),
            sha256: SHA256Digest(bytes: Array(whole.finalize())),
            bytes: end,
            head: head.count,
            minutes: minutes
        )
    }
}
