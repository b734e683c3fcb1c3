// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird

/// The texts for everybody: rights, and places that help (source 4, UC-46 and UC-47).
///
/// They are the site's, so its admin writes them.
struct ContentRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/public/content", for: .strangers, readShown),
            Route(.get, "/v1/content", for: [.admin], readAll),
            Route(.put, "/v1/content/:id", for: [.admin], set),
        ]
    }

    private struct ContentBody: Encodable {
        let id: ContentID
        let section: ContentSet.Section
        let language: String
        let title: String
        let text: String
        let address: String?
        let phone: String?
        let latitude: Double?
        let longitude: Double?
        let changedAt: Timestamp
        /// Absent where everybody reads it.
        let isShown: Bool?

        init(_ content: Contents.Content, tellsIsShown: Bool) {
            let facts = content.facts
            id = content.id
            section = facts.section
            language = facts.language
            title = facts.title
            text = facts.text
            address = facts.address
            phone = facts.phone
            latitude = facts.place?.latitude
            longitude = facts.place?.longitude
            changedAt = content.setAt
            isShown = tellsIsShown ? facts.isShown : nil
        }
    }

    private func readShown(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let shown = try ledger.handler.current(Contents.self, ()).all.filter(\.facts.isShown)
        return try .json(PageBody(items: shown.map { ContentBody($0, tellsIsShown: false) }))
    }

    private func readAll(_ request: Request, _ context: GatewayContext) async throws -> Response {
        _ = try context.signedIn()
        let all = try ledger.handler.current(Contents.self, ()).all
        return try .json(PageBody(items: all.map { ContentBody($0, tellsIsShown: true) }))
    }

    private struct ContentRequest: Decodable {
        let section: ContentSet.Section
        let language: String
        let title: String
        let text: String
        let address: String?
        let phone: String?
        let latitude: Double?
        let longitude: Double?
        let isShown: Bool
    }

    /// The page makes the id, so that what is sent twice is one text.
    private func set(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: ContentID = try context.id()
        let request = try await ledger.command(request, context)
        let body: ContentRequest = try request.decoded()
        guard (body.latitude == nil) == (body.longitude == nil) else {
            throw Problem(
                .malformedRequest,
                detail: "a place has latitude and longitude; give both, or neither"
            )
        }
        let place = body.latitude.flatMap { latitude in
            body.longitude.map { ContentPlace(latitude: latitude, longitude: $0) }
        }
        let facts = ContentSet(
            section: body.section,
            language: body.language,
            title: body.title,
            text: body.text,
            address: body.address,
            phone: body.phone,
            place: place,
            isShown: body.isShown
        )
        let isNew = try !ledger.handler.current(Contents.self, ()).all.contains { $0.id == id }
        return try await ledger.answer(
            SetContent(id, facts),
            request,
            status: isNew ? .created : .ok
        ) { NoOutcome() }
    }
}
