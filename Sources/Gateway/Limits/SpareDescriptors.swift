// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Descriptors that this process keeps open for nothing, to let go of them when it has no others left.
///
/// Where not one is free, the runtime itself ends the process: its threads are watched through files of `/proc`, and a file
/// that does not open counts there as impossible. So connections are not taken any more while few are free (``AcceptGate``),
/// and what is kept here goes to whoever works already.
final class SpareDescriptors: Sendable {
    /// Those of this process, which has one table of descriptors.
    static let ofProcess = SpareDescriptors()

    /// How many are kept.
    static let count = 32
    /// With fewer free, what is kept is let go.
    static let floor = 16

    private let kept = Mutex<[Int32]>([])

    /// Why no connection is taken; `nil` while enough are free.
    var fault: String? {
        guard !look() else { return nil }
        return
            "hardly a file or connection more can be opened, so no connection is taken: see what is open with ls -l /proc/\(getpid())/fd, and raise LimitNOFILE"
    }

    /// Looks how many are free: keeps some where there are enough, lets go where there are not.
    ///
    /// - Returns: Whether enough are free.
    @discardableResult
    func look() -> Bool {
        kept.withLock { kept in
            guard kept.isEmpty else {
                guard !Self.areFree(Self.floor) else { return true }
                Self.close(&kept)
                return false
            }
            guard Self.areFree(Self.floor + Self.count) else { return false }
            while kept.count < Self.count {
                let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                guard descriptor >= 0 else {
                    Self.close(&kept)
                    return false
                }
                kept.append(descriptor)
            }
            return true
        }
    }

    /// Lets go at once: somebody could not open something.
    func letGo() {
        kept.withLock { Self.close(&$0) }
    }

    private static func close(_ kept: inout [Int32]) {
        for descriptor in kept { Foundation.close(descriptor) }
        kept.removeAll()
    }

    /// Whether so many are free, without opening one for a moment: it might be the last.
    private static func areFree(_ wanted: Int) -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return true
        }
        var free = 0
        var number = Int32(clamping: limit.rlim_cur)
        // The smallest number that is free is taken first, so those at the end are free unless hardly any is.
        while number > 0, free < wanted {
            number -= 1
            if fcntl(number, F_GETFD) < 0 { free += 1 }
        }
        return free >= wanted
    }
}
