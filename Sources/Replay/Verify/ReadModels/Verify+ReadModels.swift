// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Projections
import Synchronization

extension Verify {
    /// Holds every read model on disk against one that is built from the log now.
    mutating func checkReadModels(_ projectors: [any Projector]) async {
        let folder = folder.appending(path: "read")
        guard FileManager.default.fileExists(atPath: folder.path) else {
            add(.note, "read", "there are no read models; they are built when the ledger is served")
            return
        }
        let start = ContinuousClock.now
        var stored: [(projector: any Projector, model: StoredReadModel)] = []
        for projector in projectors {
            do {
                guard let model = try StoredReadModel.read(projector, in: folder) else { continue }
                stored.append((projector, model))
            } catch {
                addReadModelFault("\(projector.identity)", "it cannot be read: \(error)")
            }
        }
        // Models that stand at the same position are built in one pass.
        for (position, models) in Dictionary(grouping: stored, by: \.model.progress.next) {
            await compare(models, at: position)
        }
        report.add("read models", "\(stored.count) compared with the log", since: start)
    }

    private mutating func compare(
        _ models: [(projector: any Projector, model: StoredReadModel)],
        at position: LogPosition
    ) async {
        guard position.rawValue <= report.size else {
            for (projector, _) in models {
                addReadModelFault(
                    "\(projector.identity)",
                    "it stands for \(position) events, the log has \(report.size)"
                )
            }
            return
        }
        let keys = AskedKeys(options.keys)
        let progress = progress
        do {
            let ledger = try LedgerReader.open(folder, usingIndex: false)
            defer { ledger.close() }
            let rebuilt = try await StoredReadModel.rebuilt(
                models.map(\.projector),
                from: EntrySource(ledger),
                through: position,
                keys: keys
            ) { done in
                progress(VerifyProgress(stage: "read models", done: done, of: position.rawValue))
            }
            for (one, tables) in zip(models, rebuilt) {
                compare(one.projector, one.model, tables, needsKeys: keys.wereMissing)
            }
        } catch {
            add(.note, "read", "the read models could not be compared: \(error)")
        }
    }

    private mutating func compare(
        _ projector: any Projector,
        _ model: StoredReadModel,
        _ tables: [StoredReadModel.TableDigest],
        needsKeys: Bool
    ) {
        for (has, needs) in zip(model.tables, tables) where has != needs {
            let fact =
                "at \(model.progress.next) events table \(has.table) has \(has.rows) rows; a rebuild gives \(needs.rows == has.rows ? "others" : "\(needs.rows)")"
            if needsKeys {
                add(
                    .note,
                    model.file.lastPathComponent,
                    "\(fact), but it may hold text that only the keys give",
                    "give the master key to tell"
                )
            } else {
                addReadModelFault("\(projector.identity) (\(model.file.lastPathComponent))", fact)
            }
        }
    }

    private mutating func addReadModelFault(_ place: String, _ fact: String) {
        add(.repairable, "read model \(place)", fact, "stop the gateway, then run daybook rebuild")
    }
}

/// Keys that remember whether somebody asked for one that is not here.
final class AskedKeys: PersonKeys {
    private let keys: (any PersonKeys)?
    private let missing = Mutex(false)

    init(_ keys: (any PersonKeys)?) {
        self.keys = keys
    }

    /// Whether a key was asked for where there are none at all.
    var wereMissing: Bool { missing.withLock { $0 } }

    func key(of person: PersonID) -> PersonKey? {
        guard let keys else {
            missing.withLock { $0 = true }
            return nil
        }
        return keys.key(of: person)
    }
}

extension EntrySource {
    /// The entries of a ledger that is only read.
    init(_ ledger: LedgerReader) {
        self.init(
            origin: ledger.origin ?? "",
            size: { try ledger.size() },
            page: { try ledger.entries(from: $0, limit: $1) },
            ofSubject: { subject, revision in
                try ledger.entries(of: subject).filter { $0.envelope.revision >= revision }
            },
            linkedTo: { subject, position in
                try ledger.entries(linkedTo: subject).filter { $0.envelope.position >= position }
            }
        )
    }
}
