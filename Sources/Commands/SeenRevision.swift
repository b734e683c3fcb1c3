// SPDX-License-Identifier: Apache-2.0
public import Events

/// What a caller had seen of a subject when it decided to ask: the command is done only while that is so.
///
/// It is checked behind the decision, so that it changes no refusal and tells nothing to somebody
/// who would be refused anyway; and again by the log's writer, so that nothing comes in between.
public struct SeenRevision: Hashable, Sendable {
    public let subject: Subject
    public let revision: Revision

    public init(of subject: Subject, _ revision: Revision) {
        self.subject = subject
        self.revision = revision
    }

    var condition: Condition { Condition(subject, .revision(revision)) }
}
