// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Hummingbird

/// What the routes of the field share: whose data it is, which organisation, and where.
extension Ledger {
    /// The person whose data somebody leaves behind: the owner of the device, or of the account.
    ///
    /// - Throws: 403 for somebody who is no person, such as an account that the log does not know.
    func personBehind(_ principal: Principal) throws -> PersonID {
        if let person = principal.person { return person }
        if let user = principal.user,
            let account = try handler.current(User.self, user).account
        {
            return account.person
        }
        throw Problem(.forbidden, detail: "the log knows no person for this account; sign in again")
    }
}

extension Request {
    /// A place in the query: `52.48,-1.89`, degrees north and east.
    ///
    /// - Throws: 400 for anything else.
    func centre(_ name: String) throws(Problem) -> Fix? {
        guard let text = text(name) else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 2, let latitude = NumberText.real(numbers[0], in: -90...90),
            let longitude = NumberText.real(numbers[1], in: -180...180)
        else {
            throw Problem(
                .malformedRequest,
                detail: "\(name) is degrees north, a comma, degrees east: 52.48,-1.89"
            )
        }
        let fix = Fix(latitude: latitude, longitude: longitude)
        guard fix.isPlausible else {
            throw Problem(.malformedRequest, detail: "\(name) is not on Earth")
        }
        return fix
    }

    /// A time in the query, RFC 3339.
    ///
    /// - Throws: 400 for anything else.
    func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = text(name) else { return nil }
        guard let time = Timestamp(text) else {
            throw Problem(
                .malformedRequest,
                detail: "\(name) is an RFC 3339 time, such as 2026-11-21T13:11:00Z"
            )
        }
        return time
    }
}
