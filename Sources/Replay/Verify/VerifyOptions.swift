// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation

/// What to verify, and against what.
public struct VerifyOptions: Sendable {
    /// What may be left out, by name.
    public enum Part: String, CaseIterable, Sendable {
        /// The recordings.
        case media
        /// Pictures of chats, stills of recordings, photos of reports.
        case blobs
        /// The files of keys: people's and the ledger's own.
        case keys
        /// Who may sign in.
        case accounts
        /// The read models.
        case read
        /// The index of the log.
        case index
    }

    /// Checkpoints that were kept elsewhere: files with signed notes.
    public var against: [URL] = []
    /// The ledger's public keys, if the one in its folder is not to be believed: several where it was given a new one.
    public var vkeys: [String] = []
    /// Whether every frame of video is decoded.
    public var decodesVideo = false
    /// Whether only the log and its checkpoints are looked at: no payloads, index, read models, media.
    public var isQuick = false
    /// Whether the rules of the domain are held against the whole log, too.
    public var checksStory = false
    /// What is not here and is not missed.
    public var without: Set<Part> = []
    /// Opens the files of keys in the ledger's folder.
    public var masterKey: MasterKey?
    /// Opens sealed fields; made from the master key where that is given.
    public var keys: (any PersonKeys)?
    /// How the walking process is started.
    public var program = WalkProgram.current
    /// The arguments by which the same executable decodes video in a process of its own.
    public var inspector = ["inspect-worker"]
    /// How long that process may say nothing.
    public var silence = ReplayLimits.walkSilenceMax
    /// How many threads check.
    public var threads = ProcessInfo.processInfo.activeProcessorCount

    public init() {}

    func looks(at part: Part) -> Bool { !isQuick && !without.contains(part) }
}

/// How far a long check has come, for a progress bar.
public struct VerifyProgress: Sendable {
    /// What is being done: `log`, `media`, `read models`.
    public let stage: String
    public let done: UInt64
    public let of: UInt64

    public init(stage: String, done: UInt64, of: UInt64) {
        self.stage = stage
        self.done = done
        self.of = of
    }
}

/// Why nothing could be verified: neither sound nor damaged can be said.
public struct CannotVerify: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
