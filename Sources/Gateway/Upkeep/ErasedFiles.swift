// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// Which files hold what a person filmed or sent, as the log tells it: recordings, their stills, pictures in chats and reports.
///
/// Read models may be behind, or be built just now; what is to be deleted must not wait for them.
struct ErasedFiles {
    /// Recordings, oldest first in each session.
    private(set) var recordings: [Recording] = []
    /// Pictures and stills.
    private(set) var blobs: [SHA256Digest] = []
    private let ledger: Ledger
    private let person: PersonID

    /// A recording that somebody's phone sent.
    struct Recording {
        /// Path below the media folder.
        let file: String
        let began: LogPosition
    }

    init(of person: PersonID, in ledger: Ledger) throws {
        self.ledger = ledger
        self.person = person
        let sessions = try ledger.handler.current(Caller.self, person).sessions.keys
        for session in sessions.sorted(by: { $0.description < $1.description }) {
            try addPictures(of: .session(session))
            try addStreams(of: .session(session))
        }
        try addReports()
    }

    private mutating func addPictures(of subject: Subject) throws {
        for kind in Fact.kindsOfFiles {
            try each(of: subject, kind) { files, fact in
                if let picture = fact.storedFile { files.blobs.append(picture.blob) }
            }
        }
    }

    private mutating func addReports() throws {
        var next = LogPosition(0)
        while true {
            let page = try ledger.log.entries(linkedTo: .person(person), from: next)
            guard let last = page.last else { return }
            for entry in page where entry.envelope.kind == ReportSubmitted.kind {
                try addPictures(of: entry.envelope.subject)
            }
            next = last.envelope.position.next
        }
    }

    private mutating func addStreams(of session: Subject) throws {
        var next = LogPosition(0)
        while true {
            let page = try ledger.log.entries(linkedTo: session, from: next)
            guard let last = page.last else { return }
            for entry in page where entry.envelope.kind == StreamStarted.kind {
                guard case .stream(.started(let stream)) = try EventDecoder().decode(entry).fact
                else { continue }
                recordings.append(Recording(file: stream.file, began: entry.envelope.position))
                try addStills(of: entry.envelope.subject)
            }
            next = last.envelope.position.next
        }
    }

    /// Whether the file of a recording became another person's.
    ///
    /// Names were given again within their minute once an erasure had freed them, which they are not any more.
    func isAnothers(_ recording: Recording) throws -> Bool {
        var next = recording.began.next
        while true {
            let page = try ledger.log.entries(of: StreamStarted.kind, from: next)
            guard let last = page.last else { return false }
            for entry in page {
                guard case .stream(.started(let stream)) = try EventDecoder().decode(entry).fact
                else { continue }
                if stream.file == recording.file, stream.caller != person { return true }
            }
            next = last.envelope.position.next
        }
    }

    private mutating func addStills(of stream: Subject) throws {
        try each(of: stream, StreamChunksInspected.kind) { files, fact in
            guard case .stream(.chunksInspected(let inspected)) = fact,
                let still = inspected.thumbnail
            else { return }
            files.blobs.append(still)
        }
    }

    /// Goes through the events of one kind on a subject; the others are not decoded.
    private mutating func each(
        of subject: Subject,
        _ kind: Kind,
        _ take: (inout Self, Fact) -> Void
    ) throws {
        var next = Revision(0)
        while true {
            let page = try ledger.log.entries(of: subject, from: next)
            guard let last = page.last else { return }
            for entry in page where entry.envelope.kind == kind {
                take(&self, try EventDecoder().decode(entry).fact)
            }
            next = last.envelope.revision.next
        }
    }
}
