// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Media
import NIOCore
import Synchronization

@testable import Gateway

/// The routes of streams over a real archive: Sam's session, Sam's and John's tokens, and two phones.
struct StreamDoor {
    let scene: ArchiveScene
    let test: TestDoor
    /// The caller's phone.
    let phone: String
    /// A phone of another number.
    let otherPhone: String
    let sam: String
    let john: String

    init(
        limits: ArchiveLimits = ArchiveLimits(),
        stills: StillDesk? = nil,
        clock: @escaping @Sendable () -> Timestamp = LedgerClock.system.now,
        adjust: (inout GatewayLimits) -> Void = { _ in }
    ) async throws {
        scene = try await ArchiveScene(limits: limits, clock: clock)
        test = try TestDoor(adjust: adjust)
        let accounts = test.accounts
        let handler = scene.handler
        phone = try await Self.register(scene.device, of: scene.caller, .first, accounts)
        otherPhone = try await Self.register(freshID(), of: freshID(), .second, accounts)
        sam = try await test.token(login: "sam")
        john = try await test.token(login: "john")
        let samsID = try await accounts.authenticate(sam).userID
        let check: @Sendable (Principal, SessionID) throws -> Void = { principal, session in
            // The session is Sam's and its caller's: what the access check of the gateway says of it.
            let state = try handler.current(Commands.Session.self, session)
            guard let contact = state.contact,
                principal.userID == samsID && state.owner != nil
                    || principal.person == contact.caller
            else { throw Problem(.forbidden, detail: "the session is another operator's") }
        }
        let routes = StreamRoutes(
            archive: scene.archive,
            stills: stills,
            accounts: accounts,
            rights: StreamRights(
                confirm: { try await accounts.stillSignedIn($0) },
                check: check
            ) { principal, session, _ in
                try check(principal, session)
            }
        ).routes
        test.door.add(routes)
    }

    private static func register(
        _ device: DeviceID,
        of person: PersonID,
        _ number: PhoneNumber,
        _ accounts: AccountStore
    ) async throws -> String {
        let code = try await accounts.makeDeviceCode(
            phoneNumber: number.text,
            person: "\(person)",
            org: "main",
            device: "\(device)"
        )
        let token = try await accounts.registerDevice(
            phoneNumber: number.text,
            code: code,
            isGiven: { _ in true }
        ).token
        // The scene's sessions have a clock of their own: the phone was there before all of them.
        try await accounts.durably { database in
            try database.execute(sql: "UPDATE main.devices SET since = 0")
        }
        return token.token
    }

    /// A request with a token, whose answer may be of bytes.
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        as token: String,
        _ headers: HTTPFields = [:],
        body: [UInt8] = []
    ) async throws -> ByteAnswer {
        let body = RequestBody(buffer: ByteBuffer(bytes: body))
        return try await ask(method, path, as: token, headers, body: body)
    }

    /// The same with a body that comes as it likes.
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        as token: String,
        _ headers: HTTPFields = [:],
        body: RequestBody
    ) async throws -> ByteAnswer {
        let response = try await response(method, path, as: token, headers, body: body)
        let collected = CollectedBytes()
        try await response.body.write(collected)
        return ByteAnswer(
            status: Int(response.status.code),
            headers: response.headers,
            bytes: collected.bytes
        )
    }

    /// The answer before its body is read.
    func response(
        _ method: HTTPRequest.Method,
        _ path: String,
        as token: String,
        _ headers: HTTPFields = [:],
        body: RequestBody = RequestBody(buffer: ByteBuffer())
    ) async throws -> Response {
        var headers = headers
        headers[.authorization] = "Bearer \(token)"
        let request = Request(
            head: HTTPRequest(
                method: method,
                scheme: "http",
                authority: "desk.example",
                path: path,
                headerFields: headers
            ),
            body: body
        )
        return try await test.door.responder().respond(
            to: request,
            context: GatewayContext(logger: test.logger)
        )
    }

    /// Creates a stream from the caller's phone.
    func stream() async throws -> StreamID {
        let answer = try await ask(
            .post,
            "/v1/sessions/\(scene.session)/streams",
            as: phone,
            [.contentType: "application/json"],
            body: Array(Self.settings.utf8)
        )
        guard let id = try answer.members["id"].flatMap({ StreamID($0) }) else {
            throw CocoaError(.coderReadCorrupt)
        }
        return id
    }

    static let settings = """
        {"width":320,"height":180,"framesPerSecond":25,"kilobitsPerSecond":750,"quality":"low",\
        "camera":"rear","codec":"vp9","transport":"http"}
        """

    /// Uploads a part from the caller's phone.
    func upload(
        _ bytes: [UInt8],
        part: Int,
        of stream: StreamID,
        from offset: Int = 0,
        ends: Bool = true,
        as token: String? = nil
    ) async throws -> ByteAnswer {
        try await ask(
            .put,
            "/v1/streams/\(stream)/parts/\(part)?offset=\(offset)&end=\(ends)",
            as: token ?? phone,
            body: bytes
        )
    }
}

extension RequestBody {
    /// A body in pieces, between the first and the second of which something happens.
    static func pieces(
        _ pieces: [[UInt8]],
        between happening: @escaping @Sendable () async throws -> Void
    ) -> RequestBody {
        let next = Mutex(0)
        let stream = AsyncThrowingStream<ByteBuffer, any Error>(unfolding: {
            let number = next.withLock { next in
                defer { next += 1 }
                return next
            }
            guard number < pieces.count else { return nil }
            if number == 1 { try await happening() }
            return ByteBuffer(bytes: pieces[number])
        })
        return RequestBody(asyncSequence: stream)
    }
}

/// An answer with its bytes.
struct ByteAnswer {
    let status: Int
    let headers: HTTPFields
    let bytes: [UInt8]

    /// The members of a JSON object, each printed.
    var members: [String: String] {
        get throws {
            let object = try JSONSerialization.jsonObject(with: Data(bytes))
            guard let object = object as? [String: Any] else { return [:] }
            return object.mapValues { "\($0)" }
        }
    }

    /// The type of the problem, without its prefix.
    var problem: String? {
        get throws {
            guard headers[.contentType] == "application/problem+json" else { return nil }
            return try members["type"].map { String($0.dropFirst("urn:daybook:problem:".count)) }
        }
    }
}

final class CollectedBytes: ResponseBodyWriter, Sendable {
    private let collected = Mutex<[UInt8]>([])

    var bytes: [UInt8] { collected.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        collected.withLock { $0 += buffer.readableBytesView }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
