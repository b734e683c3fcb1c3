// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct `Lines of a log` {
    private static func telling(_ lost: Int) -> String { "lost \(lost)\n" }

    /// Both ends of a pipe.
    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(Foundation.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    /// Reads lines until one tells how many were lost, or the pipe ends.
    private static func read(_ descriptor: Int32) -> (lines: Int, lost: Int) {
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(descriptor, &bytes, bytes.count)
            guard count > 0 else { break }
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        let lines = text.split(separator: "\n")
        let told = lines.filter { $0.hasPrefix("lost ") }.compactMap { Int($0.dropFirst(5)) }
        return (lines.count - told.count, told.reduce(0, +))
    }

    @Test func `that nobody reads hold nobody up, and those that were lost are told later`()
        async throws
    {
        let (reading, writing) = try Self.pipe()
        let writer = LineWriter(to: writing, bytesMax: 65_536, tellingOfLost: Self.telling)
        let line = String(repeating: "x", count: 99) + "\n"
        // Far more than the pipe and what may wait hold together: none of it waits for a reader.
        for _ in 0..<10_000 { writer.add(line) }
        let lost = writer.lost
        #expect(lost > 8_000)
        let read = Task.detached { Self.read(reading) }
        #expect(writer.close(within: .testDeadline))
        close(writing)
        let seen = await read.value
        #expect(seen.lines == 10_000 - lost)
        // The last word about them comes behind a line that was written.
        #expect(seen.lost == lost)
        close(reading)
    }

    @Test(arguments: ["/dev/full", "a reader who is gone"])
    func `that cannot be written are counted, and end nobody`(place: String) throws {
        let descriptor: Int32
        if place == "/dev/full" {
            descriptor = open(place, O_WRONLY | O_CLOEXEC)
        } else {
            let (reading, writing) = try Self.pipe()
            close(reading)
            descriptor = writing
        }
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let writer = LineWriter(to: descriptor, tellingOfLost: Self.telling)
        for _ in 0..<100 { writer.add("a line\n") }
        #expect(writer.close(within: .testDeadline))
        #expect(writer.lost == 100)
    }
}
