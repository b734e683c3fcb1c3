// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The main program of the inspection child: requests on standard input, answers on standard output.
///
/// It gives up what it does not need before it looks at a stranger's byte: memory beyond
/// ``MediaLimits/inspectionMemoryBytesMax``, processor time beyond ``MediaLimits/inspectionCPUSecondsMax`` a
/// chunk, files, core dumps, and by ``Sandbox`` every call to the kernel that decoding does not need.
public enum InspectionWorker {
    /// Answers requests until standard input ends.
    ///
    /// - Returns: The exit status: 0 after a regular end, 1 when a request is malformed or an answer cannot be sent, 3 when
    ///   this machine can confine a process and did not.
    public static func run() -> Int32 {
        guard confine() else { return 3 }
        let inspector = FrameInspector()
        while let message = read() {
            ProcessLimits.allowCPU(seconds: MediaLimits.inspectionCPUSecondsMax)
            do {
                guard write(try answer(message, by: inspector)) else { return 1 }
            } catch {
                return 1
            }
        }
        return 0
    }

    /// Gives up what decoding does not need; what ``run()`` does first.
    ///
    /// - Returns: Whether all was given up that this machine can take away; where it has no seccomp filters, the limits
    ///   alone, as the gateway says at its start.
    public static func confine() -> Bool {
        ProcessLimits.confine()
        guard Sandbox.isAvailable else { return true }
        do {
            // The codecs look at the processor once, which may take more than decoding does.
            _ = try (VideoDecoder(.vp9), VideoDecoder(.vp8))
            try Sandbox.hide()
            try Sandbox.confine()
            return true
        } catch {
            let words = Array("inspect-worker: \(error)\n".utf8)
            // Whoever cannot hear it sees the exit status.
            _ = Foundation.write(STDERR_FILENO, words, words.count)
            return false
        }
    }

    private static func answer(
        _ message: [UInt8],
        by inspector: FrameInspector
    ) throws -> [UInt8] {
        guard message.first == PublicCopyRequest.mark else {
            return try answer(InspectionRequest(message), by: inspector).encoded()
        }
        let request = try PublicCopyRequest(message)
        do {
            return try PublicCopy.make(of: request.photo, sideMax: request.sideMax)
        } catch {
            return []  // a photo without a copy
        }
    }

    private static func answer(
        _ request: InspectionRequest,
        by inspector: FrameInspector
    ) throws -> ChunkPictures {
        switch request.task {
        case .inspect:
            try inspector.inspect(
                request.frames,
                part: request.part,
                codec: request.codec,
                startsAnew: request.wantsFreshDecoder
            )
        case .still: try inspector.still(request.frames, codec: request.codec)
        }
    }

    private static func read() -> [UInt8]? {
        guard let length = read(4) else { return nil }
        let count = Int(length.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        guard count <= MediaLimits.inspectionMessageBytesMax else { return nil }
        return read(count)
    }

    private static func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                Foundation.read(STDIN_FILENO, $0.baseAddress.map { $0 + done }, count - done)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    private static func write(_ answer: [UInt8]) -> Bool {
        var writer = ByteWriter()
        writer.counted(answer)
        let bytes = writer.bytes
        var done = 0
        while done < bytes.count {
            let put = bytes.withUnsafeBytes {
                Foundation.write(
                    STDOUT_FILENO,
                    $0.baseAddress.map { $0 + done },
                    bytes.count - done
                )
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { return false }
            done += put
        }
        return true
    }
}
