// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Logging
import ServiceLifecycle

/// The service manager that started this process, by the protocol of `sd_notify(3)`: datagrams to a socket that the
/// environment names.
struct ServiceManager: Sendable {
    /// What it is told.
    enum Notice: String, Sendable {
        /// Requests are taken.
        case ready = "READY=1"
        /// The gateway ends; what was acknowledged is on disk.
        case stopping = "STOPPING=1"
        /// The gateway lives and does its work.
        case alive = "WATCHDOG=1"
    }

    /// Why it could not be told.
    struct Failure: Error, CustomStringConvertible {
        let code: Int32

        var description: String {
            "the service manager was not told: \(String(cString: strerror(code)))"
        }
    }

    private let socketPath: String
    /// How often it wants to hear that the gateway lives; `nil` when it does not ask.
    let watchdog: Duration?

    /// The one that the environment names; `nil` where nobody waits to be told.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let path = environment["NOTIFY_SOCKET"], path.count > 1,
            path.first == "/" || path.first == "@"
        else { return nil }
        socketPath = path
        let microseconds = environment["WATCHDOG_USEC"].flatMap {
            NumberText.whole($0, in: 0...Int64.max)
        }
        let process = environment["WATCHDOG_PID"].flatMap {
            NumberText.whole($0, in: 1...Int32.max)
        }
        let isMeant = process == nil || process == getpid()
        if isMeant, let microseconds, microseconds > 0 {
            watchdog = .microseconds(microseconds)
        } else {
            watchdog = nil
        }
    }

    /// Tells it something.
    ///
    /// - Throws: ``Failure``.
    func tell(_ notice: Notice) throws(Failure) {
        let descriptor = socket(
            AF_UNIX,
            Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            0
        )
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(socketPath.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Failure(code: ENAMETOOLONG)
        }
        // A name of the abstract space begins with a zero byte.
        if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let words = Array(notice.rawValue.utf8)
        // One that does not read must not keep the gateway from ending.
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        let sent = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, words, words.count, flags, $0, length)
            }
        }
        guard sent == words.count else { throw Failure(code: errno) }
    }
}

/// Tells the service manager that the gateway lives, while it does its work, and that it ends.
struct ServiceManagerNotices: Service {
    let manager: ServiceManager
    /// Whether the gateway does its work: a log that takes nothing any more after a failed sync needs a restart.
    let isWell: @Sendable () -> Bool
    let logger: Logger

    func run() async throws {
        let interval = manager.watchdog.map { $0 / 2 }
        do {
            try await withGracefulShutdownHandler {
                try await cancelWhenGracefulShutdown {
                    while true {
                        if interval != nil, isWell() { tell(.alive) }
                        try await Task.sleep(for: interval ?? .seconds(3_600))
                    }
                }
            } onGracefulShutdown: {
                tell(.stopping)
            }
        } catch is CancellationError {
            // The gateway ends.
        }
    }

    /// Tells, and logs what keeps it from being told.
    func tell(_ notice: ServiceManager.Notice) {
        do {
            try manager.tell(notice)
        } catch {
            logger.warning("\(error)")
        }
    }
}
