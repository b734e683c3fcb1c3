// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Media
import NIOCore

/// What keeps a part of the gateway from its work: words for people, and a code by which it is known to be the same.
///
/// Words have numbers that change while the fault does not: free bytes, a size, a position. So whoever asks whether a fault
/// is news compares codes, and shows words.
struct Fault: Sendable, Hashable {
    /// Stays while the fault is the same; for programs alone.
    let code: String
    /// The fact, and the way out.
    let words: String
    /// Whether there is only no room for something: what still goes is not taken out of service for it.
    let isForWantOfRoom: Bool

    init(code: String, words: String) {
        isForWantOfRoom = false
        self.code = code
        self.words = words
    }

    /// What an error tells; its code is its own, or its domain and number.
    init(_ error: any Error) {
        words = "\(error)"
        isForWantOfRoom =
            (error as? EventLogError)?.isForWantOfRoom ?? FileFault.isForWantOfRoom(error)
        if let error = error as? any FaultCoded {
            code = error.faultCode
        } else {
            // Of an enum the number is the case, whatever comes with it.
            let error = error as NSError
            code = "\(error.domain) \(error.code)"
        }
    }
}

/// An error that more tells apart than its case.
protocol FaultCoded: Error {
    /// Stays while the fault is the same.
    var faultCode: String { get }
}

extension RecordingError: FaultCoded {
    var faultCode: String {
        switch self {
        case .storage(_, _, let code): "recording \(code)"
        default: "recording \((self as NSError).code)"
        }
    }
}

extension IOError: FaultCoded {
    var faultCode: String { "system \(errnoCode)" }
}
