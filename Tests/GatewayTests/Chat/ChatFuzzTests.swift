// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import Gateway

/// Promise 10; at length by `make campaign PART=fuzz`.
@Suite(.tags(.promise10)) struct `Any bytes from a chat's peer` {
    @Test func `are read or refused as a frame of the source's JSON`() throws {
        let samples = [
            #"{"Type":"start_session","Status":"start","Token":"t"}"#,
            #"{"IncidentID":"0199a5d2-0000-7000-8000-000000000001","Type":"session","Status":"typing"}"#,
            #"{"IncidentID":"1","Type":"message","Message":"Hilfe é 😀\n","Timestamp":1432214421,"TempMessageID":"2"}"#,
            #"{"IncidentID":"1","Type":"message_report","MessageID":"3","Status":"seen","Timestamp":"9"}"#,
        ]
        var fuzzer = Fuzzer(samples: samples.map { Array($0.utf8) }, words: ["\"Timestamp\":1.5"])
        let tally = try fuzzer.run("chat") { bytes in
            let request: ChatRequest
            do {
                request = try JSONDecoder().decode(ChatRequest.self, from: Data(bytes))
            } catch { return false }
            // Another reader of JSON agrees, where the text has only one meaning.
            guard let canonical = try? CanonicalJSON.canonicalise(bytes) else { return true }
            let again = try JSONDecoder().decode(ChatRequest.self, from: Data(canonical))
            guard again == request else { throw ParserFault("\(request) became \(again)") }
            for text in [request.message, request.incidentID, request.token].compactMap(\.self) {
                guard try JSONText.string(JSONText.quoted(text)) == text else {
                    throw ParserFault("a text does not come back")
                }
            }
            return true
        }
        #expect(tally.accepted > 0 && tally.refused > 0)
    }

    @Test func `are read or refused as WebSocket frames, however they are cut`() throws {
        let samples: [[UInt8]] = [
            [0x81, 0x85, 1, 2, 3, 4] + [0x69, 0x67, 0x6F, 0x68, 0x6E],
            [0x01, 0x83, 0, 0, 0, 0, 65, 66, 67, 0x80, 0x80, 9, 9, 9, 9],
            [0x89, 0x80, 1, 2, 3, 4, 0x88, 0x82, 0, 0, 0, 0, 3, 0xE8],
            [0x82, 0xFE, 0, 126, 5, 6, 7, 8] + [UInt8](repeating: 7, count: 126),
        ]
        var fuzzer = Fuzzer(samples: samples)
        let tally = try fuzzer.run("socket") { bytes in
            let whole = Self.read([bytes])
            guard Self.read(bytes.map { [$0] }) == whole else {
                throw ParserFault("other frames byte by byte")
            }
            guard whole.frames.allSatisfy({ $0.payload.readableBytes <= Self.payloadBytesMax })
            else {
                throw ParserFault("a frame longer than it may be")
            }
            return whole.violation == nil
        }
        #expect(tally.accepted > 0 && tally.refused > 0)
    }

    private static let payloadBytesMax = 4_096

    private struct Outcome: Equatable {
        var frames: [SocketFrame] = []
        var violation: WebSocketViolation?
    }

    private static func read(_ pieces: [[UInt8]]) -> Outcome {
        var outcome = Outcome()
        var parser = SocketFrameParser(payloadBytesMax: payloadBytesMax)
        do throws(WebSocketViolation) {
            for piece in pieces {
                parser.append(ByteBuffer(bytes: piece))
                while let frame = try parser.next() { outcome.frames.append(frame) }
            }
        } catch {
            outcome.violation = error
        }
        return outcome
    }
}
