// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The process that maps a ledger's files for us, and the pipe from it.
///
/// Whatever it does (die, hang, talk nonsense) ends in an error with words, never in our own death.
final class WalkProcess {
    private let process: pid_t
    private let descriptor: Int32
    private var isReaped = false

    /// Starts this program again with other arguments.
    ///
    /// - Parameters:
    ///   - program: The executable and its arguments up to the walk's own.
    ///   - part: What is walked.
    ///   - folder: The ledger's folder.
    ///   - start: The first position wanted.
    /// - Throws: ``WalkError/cannotStart(_:)``.
    init(_ program: WalkProgram, _ part: Walker.Part, of folder: URL, from start: UInt64) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw WalkError.cannotStart(words(errno)) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A larger pipe means fewer turns; without it the walk is only slower.
        _ = fcntl(ends[1], pipeBytesCommand, 1 << 20)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        let arguments =
            [program.path] + program.arguments + [
                part.rawValue, "--data", folder.path, "--from", String(start),
            ]
        var vector = arguments.map { strdup($0) } + [nil]
        defer { for argument in vector { free(argument) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, program.path, &actions, nil, &vector, environ)
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw WalkError.cannotStart("\(program.path): \(words(code))")
        }
        self.process = process
        descriptor = ends[0]
    }

    deinit {
        if !isReaped {
            kill(process, SIGKILL)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        close(descriptor)
    }

    /// Reads what the process has written.
    ///
    /// - Returns: How many bytes; 0 when it closed its end.
    /// - Throws: ``WalkError/silent(_:)`` when it says nothing for too long.
    func read(into buffer: UnsafeMutableRawBufferPointer, silence: Duration) throws -> Int {
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, Int32(silence / .milliseconds(1)))
            if ready < 0 && errno == EINTR { continue }
            guard ready > 0 else { throw WalkError.silent(silence) }
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw WalkError.cannotStart(words(errno)) }
            return count
        }
    }

    /// How the process ended, in words; it must have closed its end of the pipe.
    func ending() -> String {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return "it cannot be told how" }
        }
        isReaped = true
        let signal = status & 0x7F
        if signal == 0 { return "with exit code \((status >> 8) & 0xFF)" }
        return "by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
}

/// How the walking process is started: an executable that hands its last arguments to ``Walker``.
public struct WalkProgram: Sendable {
    /// The executable.
    public var path: String
    /// Its arguments before the part, the folder and the position.
    public var arguments: [String]

    public init(path: String, arguments: [String] = ["walk"]) {
        self.path = path
        self.arguments = arguments
    }

    /// The executable's own path, for whoever starts it by another way.
    var resolvedPath: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? path
    }

    /// This program itself.
    public static var current: WalkProgram {
        WalkProgram(path: "/proc/self/exe")
    }
}

/// Why a walk ended early.
enum WalkError: Error, CustomStringConvertible {
    /// Nothing was walked over: not a matter of the ledger.
    case cannotStart(String)
    case silent(Duration)
    case died(String)
    case nonsense(String)
    /// The process itself says what it met.
    case failed(String)

    /// What a failure's message says; its number is 1 where the system kept the process from opening the files.
    init(failure number: UInt64, _ text: UnsafeRawBufferPointer) {
        let reason = String(decoding: text, as: UTF8.self)
        self = number == 1 ? .cannotStart(reason) : .failed(reason)
    }

    var description: String {
        switch self {
        case .cannotStart(let reason): "the walking process could not be started: \(reason)"
        case .silent(let limit): "reading it hung for \(limit)"
        case .died(let ending): "the process that read it was ended \(ending)"
        case .nonsense(let what): "reading it gave nonsense: \(what)"
        case .failed(let what): what
        }
    }
}

/// `F_SETPIPE_SZ`, which the C module does not show.
private let pipeBytesCommand: Int32 = 1_031

private func words(_ code: Int32) -> String { String(cString: strerror(code)) }
