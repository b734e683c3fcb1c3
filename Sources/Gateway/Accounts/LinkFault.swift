// SPDX-License-Identifier: Apache-2.0

/// Why a one-use link let nobody in.
enum LinkFault: Sendable, Hashable {
    /// There is none of that name, or a newer one of its session took its place.
    case unknown
    case used
    case expired
    /// The code was wrong; so many tries are left.
    case wrongCode(triesLeft: Int)
    /// The code was wrong too often.
    case noTriesLeft
}

extension LinkFault: ProblemRepresentable {
    var problem: Problem {
        var problem = Problem.unauthorized(words)
        problem.facts["reason"] = .string(reason)
        if case .wrongCode(let left) = self { problem.facts["triesLeft"] = .integer(left) }
        return problem
    }

    private var reason: String {
        switch self {
        case .unknown: "unknown"
        case .used: "used"
        case .expired: "expired"
        case .wrongCode: "wrong-code"
        case .noTriesLeft: "no-tries-left"
        }
    }

    private var words: String {
        switch self {
        case .unknown:
            "this link is not known, or a newer one took its place; open the newest, or ask the operator for one"
        case .used: "this link was used; it works once. Ask the operator for a new one"
        case .expired: "the time of this link is over; ask the operator for a new one"
        case .wrongCode(let left):
            "the code is wrong; \(left == 1 ? "one try is" : "\(left) tries are") left. "
                + "Ask the operator to say it again"
        case .noTriesLeft:
            "the code was wrong too often, and the link is over; ask the operator for a new one"
        }
    }
}
