// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Projections

extension Verify {
    /// Holds every read model on disk against one that is built from the log now, table by table; without keys, all but the
    /// columns that only keys fill.
    mutating func checkReadModels(_ projectors: [any Projector]) async {
        let folder = folder.appending(path: "read")
        guard FileManager.default.fileExists(atPath: folder.path) else {
            add(.note, "read", "there are no read models; they are built when the ledger is served")
            return
        }
        let start = ContinuousClock.now
        var stored: [(projector: any Projector, model: StoredReadModel)] = []
        if projectors.contains(where: { StoredReadModel.isFollowedCopy($0, in: folder) }) {
            report.notLookedAt.append(
                "read models of a copy that followed the links in read/: copy them as links (cp -a)"
            )
        }
        for projector in projectors {
            do {
                guard
                    let model = try StoredReadModel.read(
                        projector,
                        in: folder,
                        withOpened: options.keys != nil
                    )
                else { continue }
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
        let progress = progress
        do {
            let ledger = try LedgerReader.open(folder, usingIndex: false)
            defer { ledger.close() }
            let rebuilt = try await StoredReadModel.rebuilt(
                models.map(\.projector),
                from: EntrySource(ledger),
                through: position,
                keys: options.keys ?? NoKeys(),
                withOpened: options.keys != nil
            ) { done in
                progress(VerifyProgress(stage: "read models", done: done, of: position.rawValue))
            }
            for (one, tables) in zip(models, rebuilt) {
                compare(one.projector, one.model, tables)
            }
        } catch {
            report.notLookedAt.append("read models, which could not be built: \(error)")
        }
    }

    private mutating func compare(
        _ projector: any Projector,
        _ model: StoredReadModel,
        _ tables: [StoredReadModel.TableDigest]
    ) {
        let place = "\(projector.identity) (\(model.file.lastPathComponent))"
        for (has, needs) in zip(model.tables, tables) where has != needs {
            addReadModelFault(
                place,
                "at \(model.progress.next) events table \(has.table) has \(has.rows) rows; a rebuild gives \(needs.rows == has.rows ? "others" : "\(needs.rows)")"
            )
        }
    }

    private mutating func addReadModelFault(_ place: String, _ fact: String) {
        add(.repairable, "read model \(place)", fact, "stop the gateway, then run daybook rebuild")
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
