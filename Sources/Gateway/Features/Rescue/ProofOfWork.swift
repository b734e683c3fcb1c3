// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import HTTPTypes
import Synchronization

/// Makes strangers' requests cost something: a number is to be found whose hash is known.
///
/// The challenge is the SHA-256 of the salt and a number up to `max`; finding it takes half as many hashes on average, checking
/// it takes one. The gateway signs what it gave out and remembers what was used: a restart forgets that, and its challenges are
/// good for ten minutes.
final class ProofOfWork: Sendable {
    static let life = Duration.seconds(600)
    /// Challenges that are remembered as used; more reports are not taken in their life.
    static let usedMax = 100_000

    private let secrets: DeliverySecrets
    /// The largest number.
    private let max: Int
    private let used = Mutex<[String: (key: String, expires: Timestamp)]>([:])

    init(_ secrets: DeliverySecrets, max: Int) {
        (self.secrets, self.max) = (secrets, max)
    }

    struct Challenge: Encodable {
        let salt: String
        let challenge: String
        let max: Int
        let signature: String
        let expiresAt: Timestamp
    }

    struct Answer: Codable {
        let salt: String
        let number: Int
        let signature: String
    }

    func challenge(at now: Timestamp) -> Challenge {
        let expires = now + Self.life
        let nonce = UInt64.random(in: 0...UInt64.max)
        // Ends with a dot: otherwise a digit could move between salt and number.
        let salt = "\(String(nonce, radix: 16)).\(expires.microseconds)."
        let hash = Self.hash(salt, Int.random(in: 0...max))
        return Challenge(
            salt: salt,
            challenge: hash,
            max: max,
            signature: secrets.challengeSignature("\(salt) \(hash)"),
            expiresAt: expires
        )
    }

    /// Lets a request pass whose work was done, once; under the same key again.
    ///
    /// - Throws: 422 for an answer that is wrong, too old, or was used under another key; 503 while too many are remembered.
    func check(_ answer: Answer, for key: String, at now: Timestamp) throws {
        let parts = answer.salt.split(separator: ".", omittingEmptySubsequences: false)
        let hash = Self.hash(answer.salt, answer.number)
        guard (0...max).contains(answer.number), answer.salt.utf8.count <= 64,
            parts.count == 3, let end = UInt64(parts[1]),
            DeliverySecrets.isSame(
                answer.signature,
                secrets.challengeSignature("\(answer.salt) \(hash)")
            )
        else { throw Problem.proofRefused("it is not the number that was asked for") }
        let expires = Timestamp(microseconds: Int64(clamping: end))
        guard now < expires else { throw Problem.proofRefused("its ten minutes are over") }
        try used.withLock { used in
            if let before = used[answer.salt] {
                guard before.key == key else {
                    throw Problem.proofRefused("it was used for another report")
                }
                return
            }
            if used.count >= Self.usedMax { used = used.filter { $0.value.expires > now } }
            guard used.count < Self.usedMax else {
                throw Problem(
                    .unavailable,
                    detail: "too many reports at once; try again in a minute"
                )
            }
            used[answer.salt] = (key, expires)
        }
    }

    private static func hash(_ salt: String, _ number: Int) -> String {
        SHA256Digest(of: Data("\(salt)\(number)".utf8)).text
    }
}

extension Problem {
    fileprivate static func proofRefused(_ fact: String) -> Problem {
        Problem(
            ProblemType("proof-of-work-refused", .unprocessableContent, "Proof of work refused"),
            detail: "the proof of work is refused: \(fact); ask for another challenge, "
                + "and send the report again with the same key"
        )
    }
}
