// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import TestSupport
import Testing

/// Promise 10; at length by `make campaign PART=fuzz`.
@Suite(.tags(.promise10)) struct `Any bytes` {
    @Test(arguments: EventParser.all.map(\.name))
    func `are read or refused by the parser of a ledger's`(name: String) throws {
        let parser = try #require(EventParser.all.first { $0.name == name })
        let samples = try parser.samples()
        for sample in samples {
            #expect(try parser.examine(sample), "\(String(decoding: sample, as: UTF8.self))")
        }
        var fuzzer = Fuzzer(samples: samples)
        let tally = try fuzzer.run(name, parser.examine)
        // A fuzzer whose bytes are all refused, or all taken, tries nothing.
        #expect(tally.accepted > 0 && tally.refused > 0)
    }

    @Test func `are found that break a promise, and made small`() throws {
        var fuzzer = Fuzzer(samples: [Array("tile/0/000".utf8)])
        let failure = #expect(throws: FuzzFailure.self) {
            _ = try fuzzer.run("broken") { bytes in
                if bytes.contains(UInt8(ascii: "{")) { throw ParserFault("a brace") }
                return true
            }
        }
        #expect(failure?.bytes == [UInt8(ascii: "{")])
        #expect(failure?.description.contains("7b") == true)
    }
}
