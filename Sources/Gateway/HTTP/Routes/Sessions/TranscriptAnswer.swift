// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import Projections

/// The transcript of a session as the body of an answer: all messages in the order of the log, then those that were not
/// accepted, read page by page as fast as the reader takes them, for as long as the reader may have them.
///
/// What nobody reads is not in memory, but for a page.
struct TranscriptAnswer: Sendable {
    let session: SessionID
    let conversations: Conversations
    let keys: ReadingKeys
    let pageMessages: Int
    /// Throws once the reader may have no more; asked before each page.
    let stillMay: @Sendable () async throws -> Void

    /// The answer; what keeps it from being read at all is thrown, not begun.
    ///
    /// - Parameter seat: Held until the body has gone.
    /// - Returns: Its first page is read.
    /// - Throws: When the read model cannot be read now.
    func response(holding seat: SocketQuota.Seat?) async throws -> Response {
        let first = try await messages(after: nil)
        let body = ResponseBody { writer in
            try await write(from: first, to: &writer)
            try await writer.finish(nil)
            withExtendedLifetime(seat) {}
        }
        return Response(status: .ok, headers: [.contentType: "application/json"], body: body)
    }

    @concurrent private func write(
        from first: [ConversationMessage],
        to writer: inout any ResponseBodyWriter
    ) async throws {
        try await writer.write(ByteBuffer(string: #"{"messages":["#))
        var (page, separator) = (first, "")
        while !page.isEmpty {
            try await write(page.map { try MessageBody($0, keys) }, &separator, to: &writer)
            guard page.count == pageMessages else { break }
            page = try await messages(after: page.last?.position)
        }
        try await writer.write(ByteBuffer(string: #"],"rejected":["#))
        separator = ""
        var rejected = try await rejections(after: nil)
        while !rejected.isEmpty {
            try await write(rejected.map(RejectionBody.init), &separator, to: &writer)
            rejected = try await rejections(after: rejected.last?.position)
        }
        try await writer.write(ByteBuffer(string: #"],"session":"\#(session)"}"#))
    }

    @concurrent private func write(
        _ page: [some Encodable],
        _ separator: inout String,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var bytes = ByteBuffer()
        let encoder = JSONBody.encoder
        for item in page {
            bytes.writeString(separator)
            bytes.writeBytes(try encoder.encode(item))
            separator = ","
        }
        try await stillMay()
        try await writer.write(bytes)
    }

    private func messages(after last: LogPosition?) async throws -> [ConversationMessage] {
        try await conversations.messages(
            of: CaseReference(session),
            after: last,
            limit: pageMessages
        )
    }

    private func rejections(after last: LogPosition?) async throws -> [RejectedMessage] {
        try await conversations.rejections(in: session, after: last, limit: pageMessages)
    }
}
