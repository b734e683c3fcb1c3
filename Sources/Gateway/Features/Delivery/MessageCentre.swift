// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import Events
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A message centre that takes SMS by Kannel's `GET /cgi-bin/sendsms`.
struct MessageCentre: Sendable {
    let settings: SenderSettings
    let password: String?
    let client: HTTPClient

    /// Where a message centre is to report about a message.
    struct Report: Sendable {
        let alert: AlertID
        let attempt: Int
        let code: String
    }

    /// Hands over one message.
    ///
    /// - Parameters:
    ///   - message: What is sent.
    ///   - number: To whom.
    ///   - report: What the message centre reports with, where it can reach us.
    /// - Returns: What it said; no connection counts as not now, a lost answer as unknown.
    /// - Throws: `CancellationError`.
    @concurrent func send(
        _ message: ShortMessage,
        to number: PhoneNumber,
        report: Report
    ) async throws -> DeliveryAnswer {
        let request = HTTPClientRequest(url: url(message, number, report))
        do {
            let response = try await client.execute(
                request,
                timeout: TimeAmount(DeliveryLimits.answerWait)
            )
            let body = try await response.body.collect(upTo: 4_096)
            return Self.answer(Int(response.status.code), String(buffer: body))
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTPClientError where error == .cancelled {
            throw CancellationError()
        } catch let error as HTTPClientError where error == .connectTimeout {
            return .later("the message centre does not answer")
        } catch let error as HTTPClientError {
            return .unknown("the message centre's answer was lost: \(error.shortDescription)")
        } catch is NIOConnectionError {
            return .later("no connection to the message centre")
        } catch let error as IOError where Self.isRefusal(error) {
            return .later("no connection to the message centre")
        } catch is ChannelError {
            return .later("no connection to the message centre")
        } catch {
            // The client's words would hold the address, and the address the password.
            return .unknown("the message centre's answer was lost: \(type(of: error))")
        }
    }

    /// Whether an error of the system says that there was no connection at all.
    private static func isRefusal(_ error: IOError) -> Bool {
        [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode)
    }

    private func url(_ message: ShortMessage, _ number: PhoneNumber, _ report: Report) -> String {
        var fields = [
            ("username", settings.user ?? ""), ("password", password ?? ""),
            ("from", settings.from), ("to", number.text), ("text", message.text),
            ("charset", "UTF-8"), ("coding", message.isUnicode ? "2" : "0"),
        ]
        if let base = settings.reportsTo {
            let query = "alert=\(report.alert)&attempt=\(report.attempt)&key=\(report.code)"
            let placeholders = "type=%d&reply=%A"
            fields.append(("dlr-mask", "27"))
            fields.append(("dlr-url", "\(base)/v1/sms/report?\(query)&\(placeholders)"))
        }
        let query = fields.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
        let scheme = settings.security == .tls ? "https" : "http"
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        return "\(scheme)://\(host):\(settings.port)/cgi-bin/sendsms?\(query)"
    }

    /// Percent-encodes all but what is never special (RFC 3986 §2.3).
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    private static func answer(_ status: Int, _ body: String) -> DeliveryAnswer {
        let said = "the message centre answered \(status): \(body.prefix(200))"
        return switch status {
        case 200...299: .sent(receipt: String(body.prefix(80)))
        // Kannel answers 403 for a wrong password, and for a number that none of its ways out takes.
        case 403 where body.contains("Not routable"): .refused(said)
        case 401, 403, 404: .misconfigured(said)
        case 408, 425, 429, 500...599: .later(said)
        default: .refused(said)
        }
    }
}
