// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Hummingbird
import Logging
import Synchronization

/// What registering a phone by a code and by a link have in common.
extension Ledger {
    /// Registers a phone with the accounts, then tells the ledger of it; one of which it does not know must not act.
    ///
    /// What the ledger refuses ends the phone. What only kept it out of the ledger, such as a full disk, leaves code or link good for
    /// whoever asks again. The same request may be under way twice: then the last one of them sees to it, for the ledger may have
    /// taken the phone from the other.
    ///
    /// - Parameters:
    ///   - key: Of the request; `nil` for one that is under way once.
    ///   - register: Registers it with the accounts.
    ///   - name: Which it is, and the link by which it came; `nil` for a code.
    ///   - tell: Records it, and answers.
    /// - Returns: The answer.
    /// - Throws: What kept it out of the accounts, or of the ledger.
    func registering<Registered>(
        under key: String?,
        _ register: () async throws -> Registered,
        naming name: (Registered) -> (id: DeviceID, link: LinkID?),
        telling tell: (Registered) async throws -> Response
    ) async throws -> Response {
        let request = registrations.begin(key)
        var doubtful: RegistrationsUnderWay.Doubtful?
        let result: Result<Response, any Error>
        do {
            let registered = try await register()
            do {
                result = .success(try await tell(registered))
            } catch {
                let (id, link) = name(registered)
                doubtful = RegistrationsUnderWay.Doubtful(
                    device: id,
                    link: link,
                    isRefused: error is any CommandRefusal
                )
                throw error
            }
        } catch {
            result = .failure(error)
        }
        for left in registrations.end(request, leaving: doubtful) { try await undo(left) }
        return try result.get()
    }

    private func undo(_ registration: RegistrationsUnderWay.Doubtful) async throws {
        let device = registration.device
        guard try handler.current(Device.self, device).person == nil else { return }
        if registration.isRefused {
            try await accounts.revokeDevice(id: "\(device)")
        } else {
            try await accounts.undoRegistration(
                of: "\(device)",
                by: registration.link.map { "\($0)" }
            )
        }
    }

    /// Records that a phone was told a token again: who has the code and the key got one beside another.
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
            "a phone got another token, for the answer with the first one may not have arrived; whichever is used ends the other",
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

/// The registrations that are between the accounts and the ledger, by the keys of their requests.
final class RegistrationsUnderWay: Sendable {
    /// A phone of which the ledger was not told.
    struct Doubtful: Hashable, Sendable {
        let device: DeviceID
        let link: LinkID?
        /// For good: it is not asked again.
        let isRefused: Bool
    }

    private struct State {
        var count = 0
        var doubtful: Set<Doubtful> = []
    }

    private let states = Mutex<[String: State]>([:])

    /// Notes that a request begins.
    ///
    /// - Parameter key: What it has in common with its repetitions; `nil` for one that has none.
    /// - Returns: What it is called here.
    func begin(_ key: String?) -> String {
        let request = key ?? UUID().uuidString
        states.withLock { $0[request, default: State()].count += 1 }
        return request
    }

    /// Notes that a request has ended.
    ///
    /// - Returns: What the last one of those that were under way at once is to see to.
    func end(_ request: String, leaving doubtful: Doubtful?) -> Set<Doubtful> {
        states.withLock { states in
            guard var state = states.removeValue(forKey: request) else { return [] }
            state.count -= 1
            if let doubtful { state.doubtful.insert(doubtful) }
            if state.count == 0 { return state.doubtful }
            states[request] = state
            return []
        }
    }
}
