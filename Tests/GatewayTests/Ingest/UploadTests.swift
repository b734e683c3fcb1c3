// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite(.tags(.promise9, .promise10), .timeLimit(.minutes(10))) struct `Uploading a part over HTTP` {
    @Test func `says how far it is safe, and the same to the same bytes`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        let bytes = try Videos.parts()[0]
        let half = bytes.count / 2
        let first = try await door.upload(
            Array(bytes[..<half]),
            part: 0,
            of: stream,
            ends: false
        )
        #expect(first.status == 200)
        let answer = try JSONDecoder().decode(PartUpload.Answer.self, from: Data(first.bytes))
        #expect(answer.received == UInt64(half) && answer.through > 0 && answer.position != nil)
        let again = try await door.upload(Array(bytes[..<half]), part: 0, of: stream, ends: false)
        #expect(again.bytes == first.bytes)
        let rest = try await door.upload(
            Array(bytes[Int(answer.received)...]),
            part: 0,
            of: stream,
            from: Int(answer.received)
        )
        let last = try JSONDecoder().decode(PartUpload.Answer.self, from: Data(rest.bytes))
        #expect(last.through == UInt64(bytes.count) && last.hasEnded)
        #expect(try Videos.numbers(in: try door.scene.path(of: stream)) == Array(0..<50))
    }

    @Test func `names the byte that is missing, and refuses other bytes`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        var bytes = try Videos.parts()[0]
        _ = try await door.upload(bytes, part: 0, of: stream, ends: false)
        let gap = try await door.upload([1, 2], part: 0, of: stream, from: bytes.count + 5)
        #expect(gap.status == 409)
        #expect(try gap.problem == "media-gap")
        #expect(try gap.members["expected"] == String(bytes.count))
        bytes[1000] ^= 1
        let other = try await door.upload(bytes, part: 0, of: stream)
        #expect(try other.problem == "media-conflict")
        // A gap is a matter of order: the sender goes on where it is told, and nobody was turned away.
        #expect(try door.scene.refusals().map(\.reason) == [.media])
    }

    @Test func `refuses another number's phone, and records that`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        let refused = try await door.upload(
            try Videos.parts()[0],
            part: 0,
            of: stream,
            as: door.otherPhone
        )
        #expect(refused.status == 403)
        #expect(try refused.problem == "device-of-other-number")
        let recorded = try door.scene.refusals()
        #expect(recorded.map(\.reason) == [.otherNumber])
        #expect(recorded.first?.attempt == "stream.upload")
        #expect(try door.scene.chunks(of: stream).isEmpty)
    }

    @Test func `stores nothing of what is no video but the refusal, once a minute and stream`()
        async throws
    {
        let clock = Mutex(LedgerClock.system.now())
        let door = try await StreamDoor(clock: { clock.withLock { $0 } })
        let streams = [try await door.stream(), try await door.stream()]
        let size = door.scene.log.size
        for _ in 1...2 {
            for stream in streams + streams {
                let bytes = Array("no video at all".utf8)
                let refused = try await door.upload(bytes, part: 0, of: stream)
                #expect(refused.status == 422)
                #expect(try refused.problem == "media-refused")
            }
            clock.withLock { $0 = $0 + .seconds(60) }
        }
        #expect(door.scene.log.size == size + 4)
        let recorded = try door.scene.refusals()
        #expect(recorded.map(\.resource) == (streams + streams).map { .stream($0) })
        #expect(recorded.allSatisfy { $0.reason == .media && $0.attempt == "stream.upload" })
    }

    @Test func `with more bytes than the gateway's limit is a 413 that tells it`() async throws {
        let door = try await StreamDoor(adjust: { $0.streamedBodyBytes = 1000 })
        let stream = try await door.stream()
        let bytes = try Videos.parts()[0]
        let refused = try await door.upload(Array(bytes[..<1001]), part: 0, of: stream, ends: false)
        #expect(refused.status == 413)
        #expect(try refused.problem == "body-too-large")
        #expect(try refused.members["limitBytes"] == "1000")
        #expect(try refused.members["detail"] == "send at most 1000 bytes")
        let taken = try await door.upload(Array(bytes[..<1000]), part: 0, of: stream, ends: false)
        #expect(taken.status == 200)
        #expect(try door.scene.refusals().isEmpty)
    }

    @Test func `takes nothing more from a phone that was ended while it sent`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        let bytes = try Videos.parts()[0]
        let half = bytes.count / 2
        let (accounts, device) = (door.test.accounts, "\(door.scene.device)")
        let body = RequestBody.pieces([Array(bytes[..<half]), Array(bytes[half...])]) {
            try await accounts.revokeDevice(id: device)
        }
        let path = "/v1/streams/\(stream)/parts/0?offset=0&end=true"
        let answer = try await door.ask(.put, path, as: door.phone, body: body)
        #expect(answer.status == 401)
        let receipts = try await door.scene.archive.recording(of: stream).receipts()
        #expect(receipts.map(\.received) == [UInt64(half)])
        #expect(receipts.allSatisfy { !$0.hasEnded })
    }

    @Test func `takes nothing once the stream has stopped`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        let stop = try await door.ask(.post, "/v1/streams/\(stream)/stop", as: door.phone)
        #expect(stop.status == 200)
        #expect(try stop.members["state"] == "stopped")
        let late = try await door.upload(try Videos.parts()[0], part: 0, of: stream)
        #expect(late.status == 410)
        #expect(try late.problem == "stream-stopped")
    }
}
