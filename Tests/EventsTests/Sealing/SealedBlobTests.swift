// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import TestSupport
import Testing

@testable import Events

@Suite(.tags(.promise7)) struct `A sealed file` {
    private let key: PersonKey
    private let other: PersonKey

    init() throws {
        key = try #require(PersonKey(bytes: Array(0..<32)))
        other = try #require(PersonKey(bytes: Array(1..<33)))
    }

    @Test func `opens with its person's key, whatever is in it`() throws {
        var arbitrary = Arbitrary(seed: SeededGenerator.environmentSeed)
        for _ in 0..<200 {
            let plain = arbitrary.list(upTo: 2_000) { UInt8($0.number(0...255)) }
            let sealed = SealedBlob.seal(plain, with: key)
            #expect(sealed.count == plain.count + SealedBlob.overhead)
            #expect(try SealedBlob.open(sealed, with: key) == plain)
        }
    }

    @Test func `is another file each time, and shows nothing of what is in it`() {
        let plain = [UInt8](repeating: 7, count: 64)
        let sealed = SealedBlob.seal(plain, with: key)
        #expect(sealed != SealedBlob.seal(plain, with: key))
        #expect(!sealed.contains(plain))
    }

    @Test func `does not open with another key, nor with any bit changed, nor cut off`() {
        let sealed = SealedBlob.seal(Array("a street".utf8), with: key)
        #expect(throws: SealedBlobError.otherKey) { try SealedBlob.open(sealed, with: other) }
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(throws: SealedBlobError.self, "byte \(place)") {
                try SealedBlob.open(changed, with: key)
            }
            #expect(throws: SealedBlobError.self) {
                try SealedBlob.open(Array(sealed.prefix(place)), with: key)
            }
        }
    }
}
