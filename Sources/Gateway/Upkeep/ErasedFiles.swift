// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// Which files hold what a person filmed or sent, as the log tells it: recordings, their stills, pictures in chats.
///
/// Read models may be behind, or be built just now; what is to be deleted must not wait for them.
struct ErasedFiles {
    /// Recordings, by path below the media folder.
    private(set) var recordings: [String] = []
    /// Pictures and stills.
    private(set) var blobs: [SHA256Digest] = []
    private let ledger: Ledger

    init(of person: PersonID, in ledger: Ledger) throws {
        self.ledger = ledger
        let sessions = try ledger.handler.current(Caller.self, person).sessions.keys
        for session in sessions.sorted(by: { $0.description < $1.description }) {
            try addPictures(of: .session(session))
            try addStreams(of: .session(session))
        }
    }

    private mutating func addPictures(of session: Subject) throws {
        try each(of: session, ChatAttachmentAdded.kind) { files, fact in
            guard case .chat(.attachmentAdded(let picture)) = fact else { return }
            files.blobs.append(picture.blob)
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
                recordings.append(stream.file)
                try addStills(of: entry.envelope.subject)
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
