// SPDX-License-Identifier: Apache-2.0
import Crypto
import EventsTesting
import Testing

@testable import Events

@Suite struct `The message code` {
    @Test func `is that of the library, for messages of every length`() {
        var generator = SeededGenerator.fromEnvironment()
        for length in 0..<300 {
            let key = SIMD4<UInt64>((0..<4).map { _ in generator.next() })
            let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let expected = withUnsafeBytes(of: key) {
                Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: $0)))
            }
            let code = HMACSHA256.code(of: message, key: key)
            #expect(withUnsafeBytes(of: code, Array.init) == expected)
        }
    }
}
