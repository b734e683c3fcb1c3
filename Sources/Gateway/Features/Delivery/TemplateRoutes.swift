// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes of wordings: what there is, what a change would look like, and writing one.
struct TemplateRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/templates", for: .readersOfTheCentre, list),
            Route(.get, "/v1/templates/preview", for: [.organisationAdmin, .admin], preview),
            Route(
                .put,
                "/v1/templates/:name/:language",
                for: [.organisationAdmin, .admin],
                define
            ),
        ]
    }

    private struct TemplateBody: Encodable {
        let name: String
        let language: String
        let subject: String?
        let text: String
        /// Whether it is the program's own.
        let isBuiltIn: Bool
        let variables: [String]

        init(_ wording: Wording, isBuiltIn: Bool) {
            name = wording.name
            language = wording.language
            subject = wording.subject
            text = wording.text
            self.isBuiltIn = isBuiltIn
            variables = Wording.variables(of: wording.name)
        }
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        _ = try context.signedIn()
        try await ledger.awaitLevel(request, of: "alert-queue")
        let written = try await ledger.readModels.alerts.templates().map {
            Wording($0.name, $0.language, $0.subject, $0.text)
        }
        let names = Set(written.map { [$0.name, $0.language] })
        let builtIn = Wording.builtIn.filter { !names.contains([$0.name, $0.language]) }
        let all =
            written.map { TemplateBody($0, isBuiltIn: false) }
            + builtIn.map { TemplateBody($0, isBuiltIn: true) }
        return try .json(
            PageBody(items: all.sorted { ($0.name, $0.language) < ($1.name, $1.language) })
        )
    }

    private struct PreviewBody: Encodable {
        let subject: String
        let text: String
        /// Messages on the air that an SMS takes.
        let parts: Int
        /// Whether it has letters that halve what fits into a part.
        let isUnicode: Bool
        /// Whether the SMS is cut.
        let isCut: Bool
    }

    private func preview(_ request: Request, _ context: GatewayContext) async throws -> Response {
        _ = try context.signedIn()
        guard let name = request.text("name"), let text = request.text("text") else {
            throw Problem(.malformedRequest, detail: "name and text say what is looked at")
        }
        let wording = Wording(name, "en", request.text("subject"), text)
        try check(wording)
        let samples = [
            "centre": ledger.centreName, "words": "Fire at the harbour, hall 3",
            "urgent": "URGENT: ", "agency": "Bay Rescue",
            "answer": "https://daybook.example.org/a/AZ3kPq2vT0uXx7mN4bYc1gJ9sL5dR8eWqHfKtVnBzCoPi",
            "link": "https://daybook.example.org/j/7KQ2M9XW4T", "code": "ABC 234",
            "address": "https://daybook.example.org/call",
        ]
        let message = try wording.message(samples)
        let short = ShortMessage(message.text)
        return try .json(
            PreviewBody(
                subject: message.subject,
                text: message.text,
                parts: short.parts,
                isUnicode: short.isUnicode,
                isCut: short.text.count < message.text.count
            )
        )
    }

    private struct TemplateRequest: Decodable {
        let subject: String?
        let text: String?
    }

    /// A body without a text gives up what was written: the program's own words are said again.
    private func define(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let name = context.parameters.get("name") ?? ""
        let language = context.parameters.get("language") ?? ""
        let request = try await ledger.command(request, context)
        let body: TemplateRequest = try request.decoded()
        if let text = body.text { try check(Wording(name, language, body.subject, text)) }
        let definition = TemplateDefined(
            name: name,
            language: language,
            subject: body.text == nil ? nil : body.subject,
            text: body.text ?? "",
            isRetired: body.text == nil
        )
        return try await ledger.answer(DefineTemplate(definition), request)
    }

    private func check(_ wording: Wording) throws(Problem) {
        let known = Wording.variables(of: wording.name)
        let unknown = Wording.unknown(
            in: wording.text + (wording.subject ?? ""),
            of: wording.name
        )
        guard let first = unknown.first else { return }
        let allowed = known.map { "{\($0)}" }.joined(separator: ", ")
        throw Problem(
            .malformedRequest,
            detail: "{\(first)} is no variable of \(wording.name); "
                + (known.isEmpty ? "it has none" : "write one of \(allowed)")
        )
    }
}
