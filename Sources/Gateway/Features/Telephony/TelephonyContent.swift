// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Media
import SIP

/// What a request says: words, pictures and a place, read from its body.
struct TelephonyContent: Sendable {
    private(set) var text: String?
    private(set) var pictures: [(file: PictureFile, bytes: [UInt8])] = []
    private(set) var place: TakeTelephoneMessage.Content.Place?

    /// The types of bodies that are read, for an Accept field.
    static let types =
        "text/plain, image/jpeg, image/png, image/webp, multipart/mixed, application/pidf+xml"

    /// Why a body is not taken.
    enum Fault: Error {
        /// 415.
        case type(String)
        /// 413.
        case tooLarge
        /// 400.
        case unreadable(String)
    }

    /// Reads the body; of a bad place the message does not suffer.
    init(_ request: SIPRequest) throws(Fault) {
        let parts: [BodyPart]
        do throws(SIPFault) {
            parts = try MultipartBody.parse(request.body, fields: request.fields).parts
        } catch {
            throw .unreadable(error.description)
        }
        do throws(SIPFault) {
            place = try request.location().map(Self.place)
        } catch {
            place = .unreadable
        }
        for part in parts { try take(part) }
    }

    /// Whether the request says nothing: a telephone that types, or that keeps a connection open.
    var isEmpty: Bool { text == nil && pictures.isEmpty && place == nil }

    private mutating func take(_ part: BodyPart) throws(Fault) {
        switch part.type.name {
        case "text/plain":
            guard text == nil else { return }
            guard let words = String(validating: part.bytes, as: UTF8.self) else {
                throw .unreadable("the text is not UTF-8")
            }
            guard words.utf8.count <= CommandLimits.messageBytesMax else { throw .tooLarge }
            text = words.isEmpty ? nil : words
        case let name where name.hasPrefix("image/"):
            guard part.bytes.count <= GatewayLimits().pictureBytes else { throw .tooLarge }
            do {
                pictures.append((try PictureFile(part.bytes), part.bytes))
            } catch {
                throw .type("\(error)")
            }
        case "application/pidf+xml", "application/sdp", "application/im-iscomposing+xml": break
        default: throw .type(part.type.name)
        }
    }

    private static func place(_ location: PIDFLocation) -> TakeTelephoneMessage.Content.Place {
        let fix = Fix(
            latitude: location.latitude,
            longitude: location.longitude,
            accuracyMetres: location.accuracy,
            altitudeMetres: location.altitude,
            measuredAt: location.timestamp.flatMap { Timestamp($0) }
        )
        guard fix.isPlausible else { return .unreadable }
        let method = location.method.map { $0.lowercased() } ?? "pidf-lo"
        return .fix(fix, method: method.utf8.count <= 32 ? method : "pidf-lo")
    }
}
