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
        if projectors.contains(where: { StoredReadModel.isFollowedCopy($0, in: folder) }) {
            report.notLookedAt.append(
                "read models of a copy that followed the links in read/: copy them as links (cp -a)"
            )
        }
        var look = await lookAtReadModels(projectors, in: folder)
        let differing = Set(look.faults.map(\.projector))
        if !differing.isEmpty {
            // A gateway takes in what arrives, and erases, between two reads: only what differs twice is wrong.
            reopenKeys()
            let again = projectors.filter { differing.contains("\($0.identity)") }
            look.faults = await lookAtReadModels(again, in: folder).faults
        }
        for fault in look.faults { addReadModelFault(fault.place, fault.fact) }
        let stored = Set(look.stored)
        let gone = projectors.map { "\($0.identity)" }.filter { !stored.contains($0) }
        if !gone.isEmpty {
            report.notLookedAt.append(
                "read models that are not here: \(gone.joined(separator: ", "))"
            )
        }
        report.readModelsCompared = look.compared
        report.add("read models", "\(look.compared) compared with the log", since: start)
    }

    /// What a look at read models found.
    private struct ReadModelLook {
        /// Those with a file.
        var stored: [String] = []
        var compared = 0
        var faults: [(projector: String, place: String, fact: String)] = []
    }

    private mutating func reopenKeys() {
        guard let masterKey = options.masterKey, options.looks(at: .keys) else { return }
        let file = folder.appending(path: "keys")
        // Keys that could be opened a moment ago: whatever is wrong with them now, the next verification says.
        if let keys = try? KeyStore.open(at: file, masterKey: masterKey, for: .reading) {
            options.keys = keys
        }
    }

    private mutating func lookAtReadModels(
        _ projectors: [any Projector],
        in folder: URL
    ) async -> ReadModelLook {
        var look = ReadModelLook()
        var stored: [(projector: any Projector, model: StoredReadModel)] = []
        for projector in projectors {
            let name = "\(projector.identity)"
            do {
                let withOpened = options.keys != nil
                let model = try StoredReadModel.read(projector, in: folder, withOpened: withOpened)
                guard let model else { continue }
                look.stored.append(name)
                stored.append((projector, model))
            } catch {
                look.stored.append(name)
                look.faults.append((name, name, "it cannot be read: \(error)"))
            }
        }
        // Models that stand at the same position are built in one pass.
        for (position, models) in Dictionary(grouping: stored, by: \.model.progress.next) {
            await compare(models, at: position, &look)
        }
        return look
    }

    private mutating func compare(
        _ models: [(projector: any Projector, model: StoredReadModel)],
        at position: LogPosition,
        _ look: inout ReadModelLook
    ) async {
        let progress = progress
        do {
            let ledger = try LedgerReader.open(folder, usingIndex: false)
            defer { ledger.close() }
            // Beside a gateway the log has grown since it was walked.
            let size = try ledger.size()
            guard position.rawValue <= size else {
                for (projector, _) in models {
                    let fact = "it stands for \(position) events, the log has \(size)"
                    look.faults.append(("\(projector.identity)", "\(projector.identity)", fact))
                }
                return
            }
            let rebuilt = try await StoredReadModel.rebuilt(
                models.map(\.projector),
                from: EntrySource(ledger),
                through: position,
                keys: options.keys ?? NoKeys(),
                withOpened: options.keys != nil
            ) { done in
                progress(VerifyProgress(stage: "read models", done: done, of: position.rawValue))
            }
            look.compared += models.count
            for (one, tables) in zip(models, rebuilt) {
                compare(one.projector, one.model, tables, &look)
            }
        } catch {
            report.notLookedAt.append("read models, which could not be built: \(error)")
        }
    }

    private func compare(
        _ projector: any Projector,
        _ model: StoredReadModel,
        _ tables: [StoredReadModel.TableDigest],
        _ look: inout ReadModelLook
    ) {
        let name = "\(projector.identity)"
        for (has, needs) in zip(model.tables, tables) where has != needs {
            let rebuilt = needs.rows == has.rows ? "others" : "\(needs.rows)"
            let fact =
                "at \(model.progress.next) events table \(has.table) has \(has.rows) rows; a rebuild gives \(rebuilt)"
            look.faults.append((name, "\(name) (\(model.file.lastPathComponent))", fact))
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
