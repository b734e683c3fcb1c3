// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird
import Logging

/// What registering a phone by a code and by a link have in common.
extension Ledger {
    /// Tells the ledger of a phone that the accounts have; one of which it does not know must not act.
    ///
    /// - Parameters:
    ///   - device: Which.
    ///   - tell: Records it, and answers.
    /// - Returns: The answer.
    /// - Throws: What kept it out of the ledger; the phone is ended then, unless the same request had registered it before.
    func orRevoke(
        _ device: DeviceID,
        _ tell: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await tell()
        } catch {
            if try handler.current(Device.self, device).person == nil {
                try await accounts.revokeDevice(id: "\(device)")
            }
            throw error
        }
    }

    /// Records that a phone was told a token again: who has the code and the key got one in place of another.
    func recordToldAgain(
        _ device: DeviceID,
        in organisation: String,
        _ context: GatewayContext
    ) async throws {
        let told = RecordAccess(
            by: .device(device),
            of: .device(device),
            purpose: "registration",
            fields: ["token"]
        )
        _ = try await handler.handle(
            told,
            self.context(
                actor: .device(device),
                organisation: OrganisationID(unchecked: organisation),
                command: told.commandID(at: now),
                correlation: context.requestID
            )
        )
        logger.notice(
            "a phone got another token, for the answer with the first one may not have arrived",
            metadata: ["category": "security", "device": "\(device)"]
        )
    }
}

extension Request {
    /// The key under which somebody who is not signed in may ask the same again; `nil` without one.
    ///
    /// - Throws: ``AccountError/idempotencyKeyInvalid``.
    func repeatableKey() throws(AccountError) -> String? {
        guard let key = headers[.idempotencyKey] else { return nil }
        try AccountStore.check(key: key)
        return key
    }
}
