// SPDX-License-Identifier: Apache-2.0
/// The part of an entry that only the writer knows, from `position` to the closing brace.
struct EntryTail {
    let position: LogPosition
    let revision: Revision
    let source: String
    let subject: Subject
    let time: Timestamp
    let kind: Kind

    /// The most bytes of a tail whose three names have so many bytes together.
    static func bytesMax(names: Int) -> Int {
        // The text around the values, two numbers of 64 bits, and a time.
        #","position":"","revision":"","source":"","specversion":"1.0","subject":"","time":"","type":""}"#
            .utf8.count + 20 + 20 + 27 + names
    }

    /// Writes `,"position":"…",…,"type":"…"}`.
    ///
    /// - Parameter buffer: At least ``EventLimits/tailBytesMax`` bytes: what would need more is refused when it is prepared.
    /// - Returns: How many bytes it took.
    func write(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var out = Output(buffer: buffer)
        out.put(#","position":""#)
        out.put(position.rawValue)
        out.put(#"","revision":""#)
        out.put(revision.rawValue)
        out.put(#"","source":""#)
        out.put(source)
        out.put(#"","specversion":"1.0","subject":""#)
        out.put(subject.text)
        out.put(#"","time":""#)
        time.write(into: UnsafeMutableBufferPointer(rebasing: buffer[out.count..<(out.count + 27)]))
        out.count += 27
        out.put(#"","type":""#)
        out.put(kind.text)
        out.put(#""}"#)
        return out.count
    }

    /// The same in an array of its own.
    var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: EventLimits.tailBytesMax) { buffer, count in
            count = write(into: buffer)
        }
    }

    private struct Output {
        let buffer: UnsafeMutableBufferPointer<UInt8>
        var count = 0

        mutating func put(_ text: StaticString) {
            put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }

        mutating func put(_ text: String) {
            var text = text
            text.withUTF8 { put($0) }
        }

        mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
            let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
            count += rest.update(fromContentsOf: bytes)
        }

        mutating func put(_ number: UInt64) {
            var digits = 1
            var bound = number / 10
            while bound > 0 {
                digits += 1
                bound /= 10
            }
            var rest = number
            for index in stride(from: count + digits - 1, through: count, by: -1) {
                buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            count += digits
        }
    }
}
