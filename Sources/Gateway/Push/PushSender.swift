// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import Crypto
import Events
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Takes one push to its push service (RFC 8030).
///
/// The address is looked up, judged, and then contacted as it was judged: a name that changes its address in between
/// changes nothing. No redirect is followed, and nothing of the answer is kept but its status.
struct PushSender: Sendable {
    let identity: PushIdentity
    let reach: PushReach
    /// For finding the address, and again for the answer.
    let timeLimit: Duration
    /// A PEM file; `nil` for the authorities that this machine trusts.
    var trustRoots: String?
    /// Seconds since 1970.
    let now: @Sendable () -> Int
    /// Whom the words of an answer name.
    var receiver = "push service"
    /// Asks for the addresses of a name, and blocks.
    var lookUp: @Sendable (String) throws -> [PushAddress] = PushAddress.lookUp

    /// What a push service said.
    enum Answer: Hashable, Sendable {
        /// It will deliver the message if the phone turns up in time.
        case taken(receipt: String)
        /// It does not know the subscription any more.
        case gone(status: Int)
        /// It will never take this.
        case refused(String)
        /// Not now.
        case busy(String, retryAfterSeconds: Int?)
    }

    /// Encrypts a message and hands it over; no answer in time counts as not now.
    ///
    /// - Parameters:
    ///   - message: What the phone is told.
    ///   - subscription: Whom.
    ///   - secondsToLive: How long the push service keeps it for a phone that is out of reach.
    ///   - topic: A newer message with the same topic replaces it there.
    /// - Returns: What the push service said, or why it was not reached.
    /// - Throws: `CancellationError`, and what the cryptographic library says.
    @concurrent func send(
        _ message: Data,
        to subscription: PushSubscription,
        secondsToLive: Int,
        topic: String
    ) async throws -> Answer {
        let endpoint: PushEndpoint
        do {
            endpoint = try PushEndpoint(subscription.endpoint, within: reach)
        } catch {
            return .refused(error.detail ?? "the endpoint cannot be used")
        }
        var request = HTTPClientRequest(url: endpoint.text)
        request.method = .POST
        request.body = .bytes(ByteBuffer(bytes: try subscription.receiver.seal(message)))
        request.headers = [
            "TTL": "\(secondsToLive)", "Urgency": "high", "Topic": topic,
            "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
            "Authorization": try identity.authorization(for: endpoint.origin, at: now()),
        ]
        return try await answer(to: request, at: endpoint)
    }

    /// The words of a fault stay in the ledger, so they name no host: it may tell who somebody is.
    func answer(
        to request: HTTPClientRequest,
        at endpoint: PushEndpoint
    ) async throws -> Answer {
        do {
            return try await post(request, to: endpoint)
        } catch PushFault.outOfReach {
            return .refused("the address of the \(receiver) is not public")
        } catch PushFault.unreachable(let why) {
            return .busy(why, retryAfterSeconds: nil)
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTPClientError {
            guard error != .cancelled else { throw CancellationError() }
            return .busy("no answer in time: \(error.shortDescription)", retryAfterSeconds: nil)
        } catch {
            return .busy("no connection: \(type(of: error))", retryAfterSeconds: nil)
        }
    }

    private func post(_ request: HTTPClientRequest, to endpoint: PushEndpoint) async throws
        -> Answer
    {
        let addresses = try await PushAddress.all(
            of: endpoint.host,
            within: timeLimit,
            by: lookUp
        )
        guard let first = addresses.first else { throw PushFault.unreachable("no address") }
        guard addresses.allSatisfy({ reach.admits($0.distance) }) else {
            throw PushFault.outOfReach
        }
        var answer: Answer?
        do {
            try await HTTPClient.withHTTPClient(
                configuration: configuration(endpoint.host, at: first)
            ) { client in
                let response = try await client.execute(request, timeout: TimeAmount(timeLimit))
                answer = self.answer(to: response)
            }
        } catch {
            // What was answered was answered, however the client ends behind it: a push that was taken goes once.
            guard answer != nil else { throw error }
        }
        guard let answer else { throw PushFault.unreachable("no answer") }
        return answer
    }

    /// One client for one request: it knows one address for one name.
    private func configuration(
        _ host: String,
        at address: PushAddress
    ) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(timeLimit))
        )
        configuration.dnsOverride = [host: address.text]
        if let trustRoots {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(trustRoots)
            configuration.tlsConfiguration = tls
        }
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    private func answer(to response: HTTPClientResponse) -> Answer {
        let status = Int(response.status.code)
        let said = "the \(receiver) answered \(status)"
        switch status {
        case 200...299: return .taken(receipt: Self.receipt(of: response) ?? "\(status)")
        case 404, 410: return .gone(status: status)
        case 408, 425, 429, 500...599:
            let wait = response.headers.first(name: "Retry-After").flatMap {
                NumberText.whole($0, in: 0...Int.max)
            }
            return .busy(said, retryAfterSeconds: wait)
        default: return .refused(said)
        }
    }

    /// The message's own address gives power over it, so only its digest is told.
    private static func receipt(of response: HTTPClientResponse) -> String? {
        guard let place = response.headers.first(name: "Location") else { return nil }
        return Data(SHA256.hash(data: Data(place.utf8)).prefix(16)).base64URL
    }
}
