// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `Uploading a part over HTTP` {
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

    @Test func `stores nothing of what is no video`() async throws {
        let door = try await StreamDoor()
        let stream = try await door.stream()
        let size = door.scene.log.size
        let refused = try await door.upload(Array("no video at all".utf8), part: 0, of: stream)
        #expect(refused.status == 422)
        #expect(try refused.problem == "media-refused")
        #expect(door.scene.log.size == size)
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
