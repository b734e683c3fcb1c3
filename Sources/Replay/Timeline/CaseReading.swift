// SPDX-License-Identifier: Apache-2.0
import Events

/// Turns entries into lines of a timeline, opening what can be opened.
struct CaseReading {
    private let ledger: LedgerReader
    private let keys: (any PersonKeys)?
    private let decoder = EventDecoder()
    private var isErased: [PersonID: Bool] = [:]

    init(_ ledger: LedgerReader, _ keys: (any PersonKeys)?) {
        self.ledger = ledger
        self.keys = keys
    }

    mutating func entry(_ entry: Entry, isEarlier: Bool) throws -> CaseEntry {
        let place = entry.envelope
        return CaseEntry(
            position: place.position.rawValue,
            subject: place.subject.text,
            revision: place.revision.rawValue,
            id: "\(place.id)",
            kind: place.kind.text,
            actor: place.actor.text,
            time: "\(place.time)",
            occurredAt: place.occurredAt.map { "\($0)" },
            skewMilliseconds: place.occurredAt.map { (place.time - $0) / .milliseconds(1) }
                .map { Int64($0) },
            file: CaseFile(try decoder.decode(entry).fact),
            isEarlier: isEarlier ? true : nil,
            says: try values(of: entry)
        )
    }

    private mutating func values(of entry: Entry) throws -> [CaseValue] {
        var leaves: [(path: [String], leaf: DataWalk.Leaf)] = []
        entry.data.withUnsafeBufferPointer { data in
            DataWalk.leaves(of: data) { leaves.append(($0, $1)) }
        }
        return try leaves.flatMap { path, leaf in
            try value(leaf, at: path, event: entry.envelope.id)
        }
    }

    private mutating func value(
        _ leaf: DataWalk.Leaf,
        at path: [String],
        event: EventID
    ) throws -> [CaseValue] {
        let name = path.joined(separator: ".")
        switch leaf {
        case .text(let text): return [CaseValue(name: name, value: text, state: .plain)]
        case .plain(let text): return [CaseValue(name: name, value: text, state: .plain)]
        case .sealed(let person, let box):
            guard let key = keys?.key(of: person) else {
                return [
                    CaseValue(
                        name: name,
                        value: nil,
                        state: try isErased(person) ? .erased : .sealed
                    )
                ]
            }
            let field = SealedField(
                person: person,
                event: event,
                pointer: DataWalk.pointer(path),
                box: box
            )
            let plain = try field.plainBytes(
                withFieldSecret: key.fieldSecret(event: event, pointer: field.pointer)
            )
            return Self.opened(plain, path)
        }
    }

    /// A sealed value may have values inside, such as a place.
    private static func opened(_ plain: [UInt8], _ path: [String]) -> [CaseValue] {
        var values: [CaseValue] = []
        plain.withUnsafeBufferPointer { bytes in
            DataWalk.leaves(of: bytes) { inner, leaf in
                let name = (path + inner).joined(separator: ".")
                switch leaf {
                case .text(let text), .plain(let text):
                    values.append(CaseValue(name: name, value: text, state: .opened))
                case .sealed:
                    values.append(CaseValue(name: name, value: nil, state: .sealed))
                }
            }
        }
        return values
    }

    private mutating func isErased(_ person: PersonID) throws -> Bool {
        if let known = isErased[person] { return known }
        let erased = try ledger.entries(of: .person(person)).contains {
            $0.envelope.kind == PersonErased.kind
        }
        isErased[person] = erased
        return erased
    }
}

extension CaseFile {
    /// The bytes of the archive that an event speaks of; `nil` if it speaks of none.
    init?(_ fact: Fact) {
        guard case .stream(let event) = fact else { return nil }
        switch event {
        case .started(let started):
            self.init(
                name: started.file,
                offset: nil,
                length: nil,
                firstMilliseconds: nil,
                lastMilliseconds: nil,
                sha256: nil
            )
        case .chunkArchived(let chunk):
            self.init(
                name: chunk.file,
                offset: chunk.offset,
                length: chunk.length,
                firstMilliseconds: chunk.firstMilliseconds,
                lastMilliseconds: chunk.lastMilliseconds,
                sha256: chunk.sha256.text
            )
        case .finalized(let final):
            self.init(
                name: final.file,
                offset: 0,
                length: final.bytes,
                firstMilliseconds: 0,
                lastMilliseconds: final.durationMilliseconds,
                sha256: final.sha256.text
            )
        case .chunksInspected, .gapDetected, .qualityChanged, .cameraSwitched, .torchToggled,
            .interrupted, .resumed, .stopped, .recordingFailed, .viewed:
            return nil
        }
    }
}
