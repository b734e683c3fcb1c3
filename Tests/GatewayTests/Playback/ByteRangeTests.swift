// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Gateway

@Suite struct `A byte range` {
    @Test(
        arguments: [
            (nil, ByteRange.whole), ("bytes=0-", .part(0..<100)), ("bytes=10-19", .part(10..<20)),
            ("bytes=90-500", .part(90..<100)), ("bytes=-30", .part(70..<100)),
            ("bytes=-500", .part(0..<100)), ("bytes=100-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=20-10", .whole), ("bytes=1-2,4-5", .whole),
            ("chunks=1-2", .whole), ("bytes=x-2", .whole), ("bytes=", .whole),
            ("bytes=0-18446744073709551615", .part(0..<100)),
            ("bytes=99999999999999999999-", .whole),
        ] as [(String?, ByteRange)]
    )
    func `says what is asked of a file of 100 bytes`(field: String?, asked: ByteRange) {
        #expect(ByteRange(field, length: 100) == asked)
    }

    @Test func `asks in vain of an empty file`() {
        #expect(ByteRange("bytes=0-", length: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-1", length: 0) == .unsatisfiable)
    }
}
