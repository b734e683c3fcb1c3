// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// Names of header fields that the HTTP types do not have, spelled as registered or as ours.
extension HTTPField.Name {
    static let requestID = known("X-Request-ID")
    static let idempotencyKey = known("Idempotency-Key")
    /// Who a client believes to be; see ``BelievedSender``.
    static let sender = known("Daybook-As")
    static let referrerPolicy = known("Referrer-Policy")
    static let permissionsPolicy = known("Permissions-Policy")
    static let serviceWorkerAllowed = known("Service-Worker-Allowed")

    /// A name that is a token for sure, since it stands in this file.
    private static func known(_ name: String) -> Self {
        guard let name = Self(name) else { preconditionFailure("\(name) is no header name") }
        return name
    }
}
