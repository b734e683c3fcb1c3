// SPDX-License-Identifier: Apache-2.0
public import Events

/// Why a query got no answer.
public enum ReadModelError: Error, Hashable, CustomStringConvertible {
    /// The read model is being built for the first time; ask again later.
    case building(ProjectorIdentity, done: UInt64, of: UInt64)
    /// The read model had not come that far within the time allowed.
    case behind(ProjectorIdentity, asked: LogPosition, reached: UInt64)
    /// No projector of that name runs here.
    case unknown(String)
    /// The file holds something that no projector wrote.
    case damaged(String)
    /// SQLite could not read the file.
    case unreadable(String)

    public var description: String {
        switch self {
        case .building(let identity, let done, let total):
            "\(identity) is being built, \(done) of \(total) events are in; ask again later"
        case .behind(let identity, let asked, let reached):
            "\(identity) was to show position \(asked) but has \(reached) events; ask again, or without waiting"
        case .unknown(let name):
            "no read model is called \(name); ask for the list of read models"
        case .damaged(let fact):
            "the read model was changed from outside: \(fact); rebuild it with daybook rebuild"
        case .unreadable(let fact):
            "the read model could not be read: \(fact); rebuild it with daybook rebuild"
        }
    }
}
