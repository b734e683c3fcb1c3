// SPDX-License-Identifier: Apache-2.0
/// A refusal as the outside sees it: a permanent name, a category, a sentence and its facts.
public struct Problem: Hashable, Sendable {
    /// What a client may conclude without knowing the name.
    public enum Category: String, Hashable, Sendable, CaseIterable {
        /// What was asked makes no sense as it stands; asking again does not help.
        case unprocessable
        /// The asker may not.
        case forbidden
        /// It is not there.
        case notFound = "not_found"
        /// Something else stands against it now.
        case conflict
        /// It was there and has ended for good.
        case gone
    }

    public let category: Category
    /// Permanent, in lower-case words with dashes: `session-claimed-by-other`.
    public let slug: String
    /// The attempt, the fact and the way out; never a personal value.
    public let detail: String
    /// What a program may want to know, such as the owner.
    public let facts: [String: String]

    public init(
        _ category: Category,
        _ slug: String,
        _ detail: String,
        facts: [String: String] = [:]
    ) {
        self.category = category
        self.slug = slug
        self.detail = detail
        self.facts = facts
    }
}
