// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird
import Projections

/// `GET /v1/streams`: finding a recording by date, time, address, operator and file name.
struct RecordingSearchRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/streams", for: .readersOfTheCentre, reads: "recording-search", search)
        ]
    }

    /// One row: the source document's columns, and what leads to the video.
    struct Row: Encodable {
        let id: String
        let session: String
        let incident: String
        let state: RecordingState
        let date: String
        let time: String
        let timeZone: String
        let startedAt: Timestamp
        let address: String?
        let `operator`: String?
        let operatorName: String?
        let phone: String?
        let fileName: String
        let durationMilliseconds: Int?
        let chunks: Int
        let bytes: Int
        let media: String

        init(_ recording: Recording) {
            id = "\(recording.stream)"
            session = "\(recording.session)"
            incident = "\(recording.incident)"
            state = recording.state
            date = recording.localDate
            time = recording.localTime
            timeZone = recording.timeZone
            startedAt = recording.startedAt
            address = recording.address
            self.operator = recording.operatorID?.text
            operatorName = recording.operatorName
            phone = recording.phone
            fileName = String(recording.file.split(separator: "/").last ?? "")
            durationMilliseconds = recording.durationMilliseconds ?? recording.lastMilliseconds
            chunks = recording.chunks
            bytes = recording.finalBytes ?? recording.bytes
            media = "/v1/streams/\(recording.stream)/media"
        }
    }

    @Sendable
    private func search(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let reader = try context.signedIn()
        guard reader.role.reach != .nothing, reader.deviceID == nil else {
            throw Problem(.forbidden, detail: "your role finds no recordings")
        }
        var search = Recordings.Search()
        search.text = try request.searched("text")
        search.fileName = try request.searched("fileName")
        search.address = try request.searched("address")
        search.operatorText = try request.searched("operator")
        search.phonePrefix = try request.phonePrefix("phone", of: ledger.configuration.site)?.text
        search.fromDate = request.text("fromDate") ?? request.text("date")
        search.toDate = request.text("toDate") ?? request.text("date")
        search.fromTime = request.text("fromTime")
        search.toTime = request.text("toTime")
        let before = try request.cursor("before", in: ledger.log)?.position
        let limit = try request.number("limit", default: 100, in: 1...ProjectionLimits.listRowsMax)
        try await ledger.awaitLevel(request, of: "recordings")
        // What is private to somebody else is left out, without a word about it (ruling 33).
        let page = try await FullPage(limit, before: before, at: \.startedPosition) {
            before,
            count in
            search.before = before
            search.limit = count
            return try await ledger.readModels.recordings.search(search, in: reader.scope)
        } admitting: {
            try ledger.rights.admits(reader, to: $0.session)
        }
        _ = try await ledger.keys(
            toRead: Subject(unchecked: "recordings/\(reader.org)"),
            context,
            fields: ["address", "phone"]
        )
        return try .list(page, at: \.startedPosition, Row.init)
    }
}

extension Request {
    /// A text to search by: short, for each of its words is looked for by itself.
    ///
    /// - Throws: 400 for a longer one.
    fileprivate func searched(_ name: String) throws(Problem) -> String? {
        guard let text = text(name) else { return nil }
        let (bytes, words) = (GatewayLimits.searchBytes, GatewayLimits.searchWords)
        guard text.utf8.count <= bytes,
            text.split(whereSeparator: { !($0.isLetter || $0.isNumber) }).count <= words
        else {
            throw Problem(
                .malformedRequest,
                detail: "\(name) has at most \(bytes) bytes and \(words) words; look for less"
            )
        }
        return text
    }
}
