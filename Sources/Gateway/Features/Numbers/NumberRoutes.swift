// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import Hummingbird

/// Reading a telephone number for the pages, so that all of Daybook reads numbers alike.
struct NumberRoutes: Sendable {
    let site: Site

    /// Also for whoever registers a phone, and is nobody yet.
    var routes: [Route] { [Route(.get, "/v1/phone", for: .strangers, read)] }

    private struct NumberBody: Encodable {
        let number: String
        let international: String
        let `extension`: String?
        /// Present where the numbering plan does not have it.
        let isUnknown: Bool?
    }

    private func read(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let text = request.text("text") else {
            throw Problem(.malformedRequest, detail: "text is a number as somebody wrote it")
        }
        // A "+" in a query may have become a blank; behind it stands a country's code, which never begins with 0.
        let isPlus = text.first == " " && ("1"..."9").contains(text.dropFirst().first ?? " ")
        do {
            let given = try GivenNumber(isPlus ? "+" + text.dropFirst() : text, in: site.dialling)
            return try .json(
                NumberBody(
                    number: given.number.text,
                    international: given.international,
                    extension: given.innerNumber,
                    isUnknown: given.isInPlan ? nil : true
                )
            )
        } catch let fault as GivenNumber.Fault {
            throw Problem(
                .phoneUnreadable,
                detail: "this is no telephone number: \(fault.words)",
                facts: ["reason": .string(fault.rawValue)]
            )
        }
    }
}

extension ProblemType {
    fileprivate static let phoneUnreadable = Self(
        "phone-unreadable",
        .unprocessableContent,
        "No telephone number"
    )
}
