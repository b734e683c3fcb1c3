// SPDX-License-Identifier: Apache-2.0
public import Events

/// Why there is no timeline.
public enum TimelineError: Error, CustomStringConvertible {
    case notAReference(String)
    case unknown(String)
    case notAMoment(String)
    case beyond(LogPosition, size: UInt64)
    case notYet(Timestamp)
    case notAnOrganisation(String)

    public var description: String {
        switch self {
        case .notAReference(let text):
            "timeline of \(text) was not possible: it is no id; name an incident, session or report by its id"
        case .unknown(let text):
            "timeline of \(text) was not possible: the ledger has no event of it; check the id and the ledger's folder"
        case .notAMoment(let text):
            "\(text) is neither a position nor a time; write 1234, or 2026-11-21T13:11:00Z"
        case .beyond(let position, let size):
            "position \(position) is beyond the ledger, which has \(size) events; name one of them, or a time"
        case .notYet(let time):
            "\(time) has not come yet, and what will be known then is not known; name a time that is over, or a position"
        case .notAnOrganisation(let text):
            "\(text) is no name of an organisation; write it as accounts and events do, such as main"
        }
    }
}
