// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// JSON in and out of the gateway: names as written in the types, keys sorted, slashes plain.
struct JSONBody: RequestDecoder, ResponseEncoder {
    /// A fresh encoder with the gateway's settings.
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// Reads a body of JSON.
    ///
    /// - Throws: ``Problem``: 415 for another media type, 413 for a body over the context's limit,
    ///   400 for JSON that does not fit, 408 for one that does not come.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from request: Request,
        context: some RequestContext
    ) async throws -> Value {
        let time =
            (context as? GatewayContext)?.limits.commandArrival ?? GatewayLimits().commandArrival
        try Self.requireJSON(request)
        let limit = context.maxUploadSize
        let length = request.announcedLength
        guard length.map({ $0 <= limit }) ?? true else { throw Problem.bodyTooLarge(limit: limit) }
        do {
            let body = try await request.body.collect(upTo: limit, within: time)
            return try Self.value(type, in: Data(body.readableBytesView))
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limit: limit)
        } catch let error as DecodingError {
            // Here already: the router would tell of it in words of its own.
            throw ProblemTable.problem(for: error)
        }
    }

    /// Reads JSON from outside, a body or a frame: the one place where such text becomes values.
    ///
    /// - Throws: ``Problem`` for a text that ``OutsideText`` does not let pass, `DecodingError` for JSON that does not fit.
    static func value<Value: Decodable>(
        _ type: Value.Type = Value.self,
        in bytes: Data
    ) throws -> Value {
        try OutsideText.check(json: bytes)
        return try JSONDecoder().decode(type, from: bytes)
    }

    func encode(
        _ value: some Encodable,
        from request: Request,
        context: some RequestContext
    ) throws -> Response {
        let data = try Self.encoder.encode(value)
        return Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    /// The members of a problem; their types always encode.
    static func bytes(of members: [String: ProblemFact]) -> ByteBuffer {
        do {
            return ByteBuffer(bytes: try encoder.encode(members))
        } catch {
            preconditionFailure("strings and integers always encode as JSON: \(error)")
        }
    }

    /// Refuses a body that is not labelled as JSON, with 415.
    static func requireJSON(_ request: Request) throws(Problem) {
        let media = request.headers[.contentType]?.split(separator: ";").first?
            .trimmingCharacters(in: .whitespaces).lowercased()
        guard let media, media == "application/json" || media.hasSuffix("+json") else {
            throw Problem(.unsupportedMediaType, detail: "send Content-Type: application/json")
        }
    }
}
