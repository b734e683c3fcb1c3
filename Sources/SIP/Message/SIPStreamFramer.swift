// SPDX-License-Identifier: Apache-2.0

/// Cuts a stream of TCP or TLS into messages by their `Content-Length` (RFC 3261 §18.3).
///
/// It holds at most one head and one body of ``SIPLimits``. A malformed message whose length is known is a frame, too: on a
/// connection that many share, one sender's fault is not to end it for the others.
public struct SIPStreamFramer: Sendable {
    /// What a stream consists of.
    public enum Frame: Hashable, Sendable {
        /// A message, and the bytes that it came in.
        case message(SIPMessage, [UInt8])
        /// A message that cannot be read, and its bytes; the next one begins after it.
        case malformed([UInt8], SIPFault)
        /// Two empty lines between messages, which want one as an answer (RFC 5626 §4.4.1).
        case ping
    }

    private var bytes: [UInt8] = []
    /// Where the next message begins.
    private var start = 0
    /// Up to where no end of a head was found.
    private var searched = 0
    /// What the message's head is, and where its body begins and ends, once the head is here.
    private var head: (Result<SIPHead, SIPFault>, body: Int, end: Int)?

    public init() {}

    /// Whether a message has begun and not ended.
    public var isInMessage: Bool { start < bytes.count }

    /// How many bytes it holds.
    var count: Int { bytes.count }

    /// Bytes of the message that has begun, for the report of a fault; at most ``SIPLimits/headBytesMax``.
    public var begun: [UInt8] { Array(bytes[start...].prefix(SIPLimits.headBytesMax)) }

    /// Takes what came; ``next()`` is to be called until it returns `nil`.
    public mutating func append(_ more: some Sequence<UInt8>) {
        if start > SIPLimits.headBytesMax {
            bytes.removeFirst(start)
            searched -= start
            head?.body -= start
            head?.end -= start
            start = 0
        }
        bytes += more
    }

    /// The next message that is here whole.
    ///
    /// - Throws: When it is unknown where the message ends: it has no `Content-Length`, more than one, or too long a one. The
    ///   connection must be closed then.
    public mutating func next() throws(SIPFault) -> Frame? {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= SIPLimits.headBytesMax)
            (start, searched) = (0, 0)
        }
        if head == nil {
            if passEmptyLines() { return .ping }
            guard try findHead() else { return nil }
        }
        guard let (head, body, end) = head, end <= bytes.count else { return nil }
        let own = Array(bytes[start..<end])
        let content = Array(bytes[body..<end])
        (start, searched, self.head) = (end, end, nil)
        do throws(SIPFault) {
            return .message(try head.get().message(body: content), own)
        } catch {
            return .malformed(own, error)
        }
    }

    /// - Returns: Whether two empty lines were there.
    private mutating func passEmptyLines() -> Bool {
        while bytes.count - start >= 2, bytes[start] == .carriageReturn,
            bytes[start + 1] == .lineFeed
        {
            let isPing = bytes[start...].prefix(4).elementsEqual([13, 10, 13, 10])
            start += isPing ? 4 : 2
            searched = start
            if isPing { return true }
        }
        return false
    }

    private mutating func findHead() throws(SIPFault) -> Bool {
        var place = max(start, searched)
        while place + 3 < bytes.count {
            if bytes[place] == .carriageReturn, bytes[place + 1] == .lineFeed,
                bytes[place + 2] == .carriageReturn, bytes[place + 3] == .lineFeed
            {
                let end = place + 4
                let (head, length) = try SIPHead.framing(Array(bytes[start..<end]))
                self.head = (head, end, end + length)
                return true
            }
            place += 1
        }
        searched = place
        guard bytes.count - start <= SIPLimits.headBytesMax else {
            throw SIPFault(.tooLong, at: "header")
        }
        return false
    }
}
