// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A child with one socket as its standard input and output.
///
/// All calls block, up to their deadline.
///
/// It inherits no environment but the library path; what descriptors it inherits, ``ProcessLimits`` closes.
final class ChildProcess {
    let identifier: pid_t
    private let socket: Int32
    private var isReaped = false

    enum Failure: Error {
        case start(String)
        /// The child is gone; its wait status.
        case died(Int32)
        case timedOut
    }

    init(executable: String, arguments: [String]) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw .start("no socket: \(String(cString: strerror(errno)))")
        }
        defer { close(ends[1]) }
        var child: pid_t = 0
        let status = Self.spawn(executable, arguments, stdio: ends[1], &child)
        guard status == 0 else {
            close(ends[0])
            throw .start("\(executable): \(String(cString: strerror(status)))")
        }
        socket = ends[0]
        identifier = child
    }

    deinit {
        close(socket)
        if !isReaped { _ = reap() }
    }

    private static func spawn(
        _ executable: String,
        _ arguments: [String],
        stdio: Int32,
        _ child: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, stdio, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, stdio, STDOUT_FILENO)
        let path = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map {
            ["LD_LIBRARY_PATH=\($0)"]
        }
        // A backtrace of a stranger's bytes helps nobody and takes seconds.
        let environment = (path ?? []) + ["SWIFT_BACKTRACE=enable=no"]
        var argv = ([executable] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup($0) } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        return posix_spawn(&child, executable, &actions, nil, &argv, &envp)
    }

    /// Sends a message and waits for the answer.
    ///
    /// - Throws: ``Failure``; the child is then gone for good.
    func exchange(_ message: [UInt8], milliseconds: Int) throws(Failure) -> [UInt8] {
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        var writer = ByteWriter()
        writer.counted(message)
        try send(writer.bytes, until: deadline)
        let length = try receive(4, until: deadline).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        // A child that a stranger's bytes took over does not get to fill our memory.
        guard length <= UInt32(MediaLimits.inspectionMessageBytesMax) else { throw .died(reap()) }
        return try receive(Int(length), until: deadline)
    }

    /// Kills the child, if it still is there, and collects it.
    ///
    /// - Returns: Its wait status.
    func reap() -> Int32 {
        var status: Int32 = 0
        // One that ended by itself keeps its own status: a zombie ignores the signal.
        kill(identifier, SIGKILL)
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        isReaped = true
        return status
    }

    private func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(Failure) {
        var done = 0
        while done < bytes.count {
            try wait(Int16(POLLOUT), until: deadline)
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let put = bytes.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress.map { $0 + done }, bytes.count - done, flags)
            }
            if put < 0, errno == EINTR || errno == EAGAIN { continue }
            guard put > 0 else { throw .died(reap()) }
            done += put
        }
    }

    private func receive(_ count: Int, until deadline: ContinuousClock.Instant) throws(Failure)
        -> [UInt8]
    {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            try wait(Int16(POLLIN), until: deadline)
            let got = bytes.withUnsafeMutableBytes {
                recv(socket, $0.baseAddress.map { $0 + done }, count - done, Int32(MSG_DONTWAIT))
            }
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            guard got > 0 else { throw .died(reap()) }
            done += got
        }
        return bytes
    }

    private func wait(_ events: Int16, until deadline: ContinuousClock.Instant) throws(Failure) {
        let left = (deadline - .now) / .milliseconds(1)
        var descriptor = pollfd(fd: socket, events: events, revents: 0)
        let ready = poll(&descriptor, 1, Int32(max(0, left.rounded(.up))))
        if ready < 0, errno == EINTR { return }
        guard ready == 0 else { return }
        _ = reap()
        throw .timedOut
    }
}
