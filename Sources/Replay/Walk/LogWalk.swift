// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// A walk over a ledger's log by another process, as one sequence of items.
struct LogWalk {
    let folder: URL
    let program: WalkProgram
    var silence = ReplayLimits.walkSilenceMax

    /// What comes, in this order: facts, foreign tables and checkpoints, the size, then entries without gaps.
    enum Item {
        case fact(name: String, value: String)
        /// One that this program does not know.
        case table(name: String)
        case checkpoint(size: UInt64, note: String)
        case size(UInt64)
        /// The bytes die with the call.
        case entry(UInt64, UnsafeRawBufferPointer)
    }

    /// Walks from the first entry to the last that was committed when it began.
    ///
    /// Without a lock, a gateway may overtake the walk and write over pages that it reads; then it goes on with a new
    /// process from where it stood.
    ///
    /// - Parameter take: Takes each item.
    /// - Throws: ``WalkError``, and what `take` throws.
    func run(_ take: (Item) throws -> Void) throws {
        var state = State()
        for _ in 0..<ReplayLimits.walkRestartsMax {
            let before = transaction()
            do {
                return try run(from: &state, take)
            } catch let error as WalkError {
                let after = transaction()
                guard case .cannotStart = error else {
                    guard let before, let after, after > before else { throw error }
                    continue
                }
                throw error
            }
        }
        throw WalkError.failed("somebody writes to it faster than it can be read without a lock")
    }

    private struct State {
        /// How many entries there are to be; `nil` until it was said.
        var size: UInt64?
        var next: UInt64 = 0
    }

    private func transaction() -> UInt64? {
        // What keeps this from being read keeps the walk from going on, and is told by it.
        (try? LMDBFileHead.read(folder.appending(path: "log/data.mdb")))??.transaction
    }

    private func run(from state: inout State, _ take: (Item) throws -> Void) throws {
        let process = try WalkProcess(program, .log, of: folder, from: state.next)
        var reader = WalkReader(process, silence: silence)
        while let (message, number) = try reader.next() {
            switch message {
            case .fact where state.size == nil:
                let parts = String(decoding: reader.bytes, as: UTF8.self)
                    .split(separator: "\0", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { throw WalkError.nonsense("a fact without a name") }
                try take(.fact(name: String(parts[0]), value: String(parts[1])))
            case .table where state.size == nil:
                try take(.table(name: String(decoding: reader.bytes, as: UTF8.self)))
            case .checkpoint where state.size == nil:
                let note = String(decoding: reader.bytes, as: UTF8.self)
                try take(.checkpoint(size: number, note: note))
            case .size where state.size == nil:
                state.size = number
                try take(.size(number))
            case .entry:
                try follow(number, state)
                try take(.entry(number, reader.bytes))
                state.next = number + 1
            case .oversized:
                throw WalkError.failed("the entry at position \(number) is longer than any may be")
            case .failure: throw WalkError(failure: number, reader.bytes)
            case .hello, .end, .fact, .table, .checkpoint, .size: break
            case .tile, .sum, .unsteady: throw WalkError.nonsense("\(message) of a log")
            }
        }
        guard let size = state.size, state.next == size else {
            throw WalkError.failed(
                "it ends at position \(state.next) and says that it has \(state.size ?? 0) entries"
            )
        }
    }

    private func follow(_ position: UInt64, _ state: State) throws {
        guard let size = state.size, position < size else {
            throw WalkError.nonsense("an entry at position \(position), behind the end")
        }
        guard position == state.next else {
            throw position > state.next
                ? WalkError.failed("positions \(state.next)..<\(position) are missing")
                : WalkError.nonsense("position \(position) behind position \(state.next)")
        }
    }
}
