// SPDX-License-Identifier: Apache-2.0
/// Somebody read personal data; once per reader, resource, purpose and minute.
public struct AccessRead: EventPayload {
    public static let kind: Kind = "access.read/1"

    public let reader: Actor
    public let resource: Subject
    public let purpose: String
    public let fields: [String]

    public init(reader: Actor, resource: Subject, purpose: String, fields: [String]) {
        self.reader = reader
        self.resource = resource
        self.purpose = purpose
        self.fields = fields
    }

    public var links: [SubjectLink] {
        [.about(resource)]
    }
}
