// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The log for outside readers: who it is, its checkpoint, tiles and entries (C2SP tlog-tiles), and
/// single entries with their proofs.
///
/// Checkpoint and hash tiles are public; entries need a right.
struct LedgerRoutes: Sendable {
    let ledger: Ledger
    let proofs: ProofDesk

    var routes: [Route] {
        [
            Route(.get, "/v1/ledger", for: .strangers, identity),
            Route(.get, "/checkpoint", for: .strangers, checkpoint),
            Route(.get, "/tile/**", for: .strangers, tile),
            Route(.get, "/v1/events/:position", for: .readers, entry),
            Route(.get, "/v1/events/:position/proof", for: .readers, proof),
        ]
    }

    private struct LedgerBody: Encodable {
        let origin: String
        let vkey: String
        /// Of the newest checkpoint, like the root.
        let size: UInt64
        let root: String
        /// Whether whoever reaches the gateway signs in as anybody.
        let isDemo: Bool
    }

    @Sendable private func identity(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let checkpoint = try Checkpoint(text: SignedNote(try await note()).text)
        let body = LedgerBody(
            origin: ledger.identity.origin,
            vkey: ledger.identity.vkey,
            size: checkpoint.size,
            root: checkpoint.root.base64,
            isDemo: ledger.isDemo
        )
        return try .json(body)
    }

    @Sendable private func checkpoint(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: try await note()))
        )
    }

    @Sendable private func tile(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let path: TilePath
        do {
            path = try TilePath(request.uri.path.dropFirst())
        } catch {
            throw Problem(.notFound, detail: "\(error)")
        }
        switch path {
        case .hashes(let tile):
            guard let bytes = try ledger.log.tile(tile) else { throw ProofDesk.notCovered }
            return Self.immutable(bytes, isPublic: true)
        case .entries(let bundle):
            let reader = try context.signedIn()
            try reader.require([.auditor, .admin])
            guard let bytes = try ledger.log.bundle(bundle) else { throw ProofDesk.notCovered }
            try await ledger.recordReading(
                of: Subject(unchecked: "tiles/\(ledger.configuration.organisation)"),
                by: reader,
                for: "audit"
            )
            return Self.immutable(bytes, isPublic: false)
        }
    }

    /// The entry byte for byte: its hash is the leaf of the tree.
    @Sendable private func entry(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let entry = try await readableEntry(context, for: "entry")
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/cloudevents+json", .cacheControl: "private, immutable",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: entry.bytes))
        )
    }

    private struct ProofBody: Encodable {
        let position: String
        let leafHash: String
        let size: String
        let root: String
        /// The siblings from the leaf to the root, base64.
        let hashes: [String]
        /// The signed note that the root stands in.
        let checkpoint: String
    }

    @Sendable private func proof(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let entry = try await readableEntry(context, for: "proof")
        let position = entry.envelope.position
        let (proof, note) = try await proofs.inclusion(of: position, for: context.signedIn())
        let checkpoint = try Checkpoint(text: SignedNote(note).text)
        let body = ProofBody(
            position: "\(position)",
            leafHash: entry.leafHash.base64,
            size: String(proof.size),
            root: checkpoint.root.base64,
            hashes: proof.hashes.map(\.base64),
            checkpoint: note
        )
        return try .json(body)
    }

    private func readableEntry(_ context: GatewayContext, for purpose: String) async throws -> Entry
    {
        let reader = try context.signedIn()
        let position = context.parameters.get("position").flatMap({ LogPosition($0) })
        guard let position, let entry = try ledger.log.entry(at: position) else {
            throw noEvent
        }
        do {
            try FeedRights(reader: reader, rights: ledger.rights).check(entry)
        } catch let refusal as ReadingRights.Refusal {
            await record(refusal, of: reader, from: entry.envelope, context)
            // Who walks from place to place learns nothing of what stands there.
            throw noEvent
        }
        // Reading who read what is not itself recorded: it would never end.
        if entry.envelope.kind != AccessRead.kind,
            !AccessRefused.kinds.contains(entry.envelope.kind)
        {
            try await ledger.recordReading(of: entry.envelope.subject, by: reader, for: purpose)
        }
        return entry
    }

    /// Records the refusal that its reader is not told of; into no other organisation's history.
    private func record(
        _ refusal: ReadingRights.Refusal,
        of reader: Principal,
        from envelope: Envelope,
        _ context: GatewayContext
    ) async {
        let isOwn = envelope.organisation == reader.organisation
        await ledger.recordRefusal(
            of: reader,
            from: isOwn ? envelope.subject : nil,
            attempt: "GET \(context.endpointPath ?? "/v1/events")",
            reason: AccessRefused.Reason(ProblemTable.problem(for: refusal)) ?? .role
        )
    }

    private var noEvent: Problem {
        Problem(
            .notFound,
            detail: "there is no event at this position",
            facts: ["size": .string(String(ledger.log.size))]
        )
    }

    private func note() async throws -> String {
        if let note = ledger.log.checkpointNote { return note }
        guard let note = try await ledger.log.makeCheckpoint() else {
            throw Problem.tryLater(.unavailable, "no checkpoint is signed yet; ask again")
        }
        return note
    }

    private static func immutable(_ bytes: [UInt8], isPublic: Bool) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream",
                .cacheControl: "\(isPublic ? "public" : "private"), max-age=31536000, immutable",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
