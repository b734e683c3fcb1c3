// SPDX-License-Identifier: Apache-2.0
/// Why an event could not be read.
public enum EventDecodingError: Error, Hashable, Sendable {
    /// This program has no shape for that kind: the ledger was written by a newer one.
    case unknownKind(Kind, event: EventID, at: LogPosition?)
    /// The data does not have the shape of its kind.
    case malformed(kind: Kind, event: EventID, at: LogPosition?, pointer: String, reason: String)
}

extension EventDecodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownKind(let kind, let event, let position):
            "\(attempt(event, position)): kind \(kind) is not known; read it with the version that wrote it, or a newer one"
        case .malformed(let kind, let event, let position, let pointer, let reason):
            "\(attempt(event, position)): at \"\(pointer)\" its data is not that of \(kind): \(reason)"
        }
    }

    private func attempt(_ event: EventID, _ position: LogPosition?) -> String {
        let place = position.map { " at position \($0)" } ?? ""
        return "event \(event)\(place) was not decoded"
    }
}
