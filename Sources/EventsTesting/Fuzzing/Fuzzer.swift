// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Gives a parser damaged bytes, round after round.
public struct Fuzzer {
    private var mutator: ByteMutator

    /// - Parameters:
    ///   - samples: Bytes that the parser accepts.
    ///   - words: What is put in besides ``ByteMutator/edgeWords``.
    ///   - seed: Where chance comes from.
    public init(
        samples: [[UInt8]],
        words: [String] = [],
        seed: UInt64 = SeededGenerator.environmentSeed
    ) {
        mutator = ByteMutator(samples: samples, words: words, seed: seed)
    }

    /// How many rounds: `DAYBOOK_FUZZ_ROUNDS`, or so many that a test takes a few seconds.
    public static var rounds: Int { asked ?? 1_000 }

    private static let asked =
        ProcessInfo.processInfo.environment["DAYBOOK_FUZZ_ROUNDS"].flatMap { Int($0) }

    /// What became of the rounds.
    public struct Tally: Sendable {
        public var accepted = 0
        public var refused = 0
    }

    /// Runs the rounds.
    ///
    /// - Parameters:
    ///   - name: The parser's, for the failure.
    ///   - rounds: How many.
    ///   - examine: Whether the parser accepts the bytes; throws when a promise is broken.
    /// - Returns: How many were accepted and refused.
    /// - Throws: ``FuzzFailure`` with the smallest bytes found that break it.
    public mutating func run(
        _ name: String,
        rounds: Int = Fuzzer.rounds,
        _ examine: @escaping ([UInt8]) throws -> Bool
    ) throws -> Tally {
        var tally = Tally()
        for _ in 0..<rounds {
            let bytes = mutator.next()
            // A trap ends the process: a long run leaves the bytes behind that did it.
            if Self.asked != nil { try Data(bytes).write(to: Self.trace(of: name)) }
            do {
                if try examine(bytes) { tally.accepted += 1 } else { tally.refused += 1 }
            } catch {
                throw try FuzzFailure(parser: name, fault: error, bytes: smallest(bytes, examine))
            }
        }
        return tally
    }

    /// Where a long run keeps the bytes of its current round.
    public static func trace(of name: String) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "daybook-fuzz-\(name)")
    }

    private func smallest(
        _ bytes: [UInt8],
        _ examine: @escaping ([UInt8]) throws -> Bool
    ) throws -> [UInt8] {
        var triesLeft = 2_000
        return try StreamShrinker<UInt8> { bytes in
            // Long bytes may take a while; what is small by then is small enough.
            guard triesLeft > 0 else { return false }
            triesLeft -= 1
            do {
                _ = try examine(bytes)
                return false
            } catch {
                return true
            }
        }.shrink(bytes)
    }
}

/// Bytes that break a promise of a parser.
public struct FuzzFailure: Error, CustomStringConvertible {
    /// The parser's name.
    public let parser: String
    /// What was broken by the bytes as they were first found.
    public let fault: any Error
    /// The smallest bytes found.
    public let bytes: [UInt8]

    public var description: String {
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return """
            \(parser): \(fault); with seed \(SeededGenerator.environmentSeed), shown by \(bytes.count) bytes: \
            \(String(decoding: bytes, as: UTF8.self).debugDescription), in hexadecimal \(hex)
            """
    }
}

/// A promise that a parser did not keep.
public struct ParserFault: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
