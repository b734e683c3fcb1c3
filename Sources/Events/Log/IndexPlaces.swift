// SPDX-License-Identifier: Apache-2.0
/// What a batch adds to the index, gathered by key.
struct IndexPlaces {
    /// What the batch adds to one subject.
    struct SubjectPlace {
        let subject: Subject
        let category: UInt32
        var record: SubjectRecord
        /// Revision and position of each event, as ``RevisionPlace/bytes``.
        var revisions: [(UInt64, UInt64)] = []

        mutating func add(_ revision: Revision, _ position: LogPosition) {
            record.revision = revision.rawValue
            record.position = position.rawValue
            let place = RevisionPlace(revision: revision.rawValue, position: position.rawValue)
            revisions.append(place.bytes)
        }
    }

    var slots: [Subject: Int] = [:]
    var subjects: [SubjectPlace] = []
    /// How many subjects the index had before the batch, once asked.
    var subjectCount: Int?
    private var newSubjects = 0
    /// Numbers of kinds and categories.
    var numbers: [String: UInt32] = [:]
    /// Positions of events that link to a subject in a role, under ``LinkKey/packed``.
    var links: [UInt64: [UInt]] = [:]
    var kinds: [UInt32: [UInt]] = [:]
    var categories: [UInt32: [UInt]] = [:]

    init() {}

    /// Makes a place for a subject, with a new number unless the index knows it.
    mutating func add(_ subject: Subject, _ known: SubjectRecord?, category: UInt32) -> Int {
        // A subject that is only linked to so far has no revision: the highest number stands for none.
        let fresh = SubjectRecord(
            number: UInt32((subjectCount ?? 0) + newSubjects),
            revision: .max,
            position: .max
        )
        if known == nil { newSubjects += 1 }
        let record = known ?? fresh
        slots[subject] = subjects.count
        subjects.append(SubjectPlace(subject: subject, category: category, record: record))
        return subjects.count - 1
    }
}
