// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird

extension Problem {
    /// The members of RFC 9457 §3.1 but `instance`, and the facts beside them.
    var members: [String: ProblemFact] {
        var members = facts
        members["type"] = .string(type.urn)
        members["title"] = .string(type.title)
        members["status"] = .integer(Int(type.status.code))
        members["detail"] = detail.map(ProblemFact.string)
        return members
    }

    /// The answer of RFC 9457 §3.
    ///
    /// - Parameter requestID: Becomes `instance`, so that a report of the client leads to the log.
    /// - Returns: `application/problem+json` with the status of the type.
    func response(requestID: String) -> Response {
        var members = members
        members["instance"] = .string("urn:daybook:request:\(requestID)")
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        return Response(
            status: type.status,
            headers: headers,
            body: ResponseBody(byteBuffer: JSONBody.bytes(of: members))
        )
    }
}
