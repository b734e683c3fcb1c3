// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import NIOCore
import NIOPosix

/// The program beside ours that reads one camera and writes WebM: what it is told, and what it tells.
struct CameraProgram: Sendable {
    /// Its path; `nil` where none was installed beside this one.
    let path: String?

    /// What it is told, on its standard input: never in arguments or environment, where others read.
    struct Order: Sendable, Hashable {
        let settings: CameraSettings
        let password: String?

        fileprivate var text: String {
            let lines: [(String, String?)] = [
                ("kind", settings.source.rawValue), ("address", settings.address),
                ("user", settings.user), ("password", password),
                ("width", "\(settings.width)"), ("height", "\(settings.height)"),
                ("rate", "\(settings.framesPerSecond)"),
                ("kilobits", "\(settings.kilobitsPerSecond)"),
            ]
            return lines.compactMap { key, value in value.map { "\(key) \($0)\n" } }.joined() + "\n"
        }
    }

    /// What it tells.
    enum Status: Sendable, Hashable {
        /// The size of the camera's own pictures.
        case online(width: Int, height: Int)
        /// When the picture was taken that has time 0 in the stream.
        case clock(Timestamp)
        case frozen
        case moving
        case fault(CameraStandingChanged.Cause, String)

        /// Reads a line; `nil` for one that says nothing that is wanted here.
        init?(_ line: Substring) {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            switch (words.first, words.dropFirst().first) {
            case ("online", let size?):
                let sides = size.split(separator: "x").compactMap { Int($0) }
                guard sides.count == 2, sides.allSatisfy((1...16_384).contains) else { return nil }
                self = .online(width: sides[0], height: sides[1])
            case ("clock", let time?):
                guard let microseconds = Int64(time) else { return nil }
                self = .clock(Timestamp(microseconds: microseconds))
            case ("frozen", _): self = .frozen
            case ("moving", _): self = .moving
            case ("fault", let cause?):
                self = .fault(.init(rawValue: cause) ?? .internal, words.dropFirst(2).first ?? "")
            default: return nil
            }
        }
    }

    /// Runs it until the camera or the task ends; it is gone when this returns.
    ///
    /// - Parameters:
    ///   - order: Which camera.
    ///   - bytes: Takes the WebM, piece by piece; while it waits, so does the program.
    ///   - status: Hears what the program tells.
    /// - Throws: ``Fault`` where it cannot be started; what the two throw.
    func run(
        _ order: Order,
        bytes: @escaping @Sendable (ByteBuffer) async throws -> Void,
        status: @escaping @Sendable (Status) async throws -> Void
    ) async throws {
        guard let path else {
            throw StartFault(
                what: "the program daybook-camera is not there; install it beside daybook"
            )
        }
        let child = try Child(path)
        defer { child.end() }
        child.tell(order.text)
        let output = try await Self.channel(child.output)
        let errors = try await Self.channel(child.errors)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await output.executeThenClose { inbound, _ in
                    for try await buffer in inbound { try await bytes(buffer) }
                }
            }
            group.addTask {
                try await errors.executeThenClose { inbound, _ in
                    var rest = ""
                    for try await buffer in inbound {
                        rest += String(buffer: buffer)
                        var lines = rest.split(separator: "\n", omittingEmptySubsequences: false)
                        rest = String((lines.popLast() ?? "").prefix(1_024))
                        for line in lines {
                            if let told = Status(line) { try await status(told) }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func channel(
        _ descriptor: CInt
    ) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .takingOwnershipOfDescriptor(input: descriptor) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
    }

    /// Why it could not be started.
    struct StartFault: Error, CustomStringConvertible {
        let what: String
        var description: String { "a camera cannot be read: \(what)" }
    }

    /// The process, and the ends of its pipes.
    private final class Child: Sendable {
        let output: CInt
        let errors: CInt
        private let input: CInt
        private let identifier: pid_t

        init(_ path: String) throws {
            var pipes: [[CInt]] = []
            for _ in 0..<3 {
                var ends: [CInt] = [-1, -1]
                guard Self.pipe(&ends) else {
                    for end in pipes.joined() { close(end) }
                    throw StartFault(what: String(cString: strerror(errno)))
                }
                pipes.append(ends)
            }
            var child: pid_t = 0
            let status = Self.spawn(path, [pipes[0][0], pipes[1][1], pipes[2][1]], &child)
            for end in [pipes[0][0], pipes[1][1], pipes[2][1]] { close(end) }
            (input, output, errors, identifier) = (pipes[0][1], pipes[1][0], pipes[2][0], child)
            guard status == 0 else {
                for end in [input, output, errors] { close(end) }
                throw StartFault(what: "\(path): \(String(cString: strerror(status)))")
            }
        }

        /// Ends that no other child gets.
        private static func pipe(_ ends: inout [CInt]) -> Bool {
            guard Foundation.pipe(&ends) == 0 else { return false }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return true
        }

        private static func spawn(
            _ path: String,
            _ ends: [CInt],
            _ child: inout pid_t
        ) -> CInt {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            for (number, end) in ends.enumerated() {
                posix_spawn_file_actions_adddup2(&actions, end, CInt(number))
            }
            var argv = [strdup(path), nil]
            var envp: [UnsafeMutablePointer<CChar>?] = [nil]
            defer { for pointer in argv + envp { free(pointer) } }
            return posix_spawn(&child, path, &actions, nil, &argv, &envp)
        }

        /// Less than a pipe holds, so that it waits for nobody.
        func tell(_ text: String) {
            let bytes = Array(text.utf8)
            _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        }

        func end() {
            close(input)
            kill(identifier, SIGKILL)
            var status: CInt = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        }
    }
}

extension CameraProgram {
    /// The program beside this one, where there is one.
    static var ofOwnFolder: CameraProgram {
        do {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let path = URL(filePath: own).deletingLastPathComponent()
                .appending(path: "daybook-camera").path
            return CameraProgram(
                path: FileManager.default.isExecutableFile(atPath: path) ? path : nil
            )
        } catch {
            return CameraProgram(path: nil)
        }
    }
}
