// SPDX-License-Identifier: Apache-2.0
public import Events

/// Which chains, rotas and call-outs there are; what they say is in the log.
///
/// A part of ``AlertQueue``.
enum CallOutTables {
    static let all = [
        Table(
            "chain",
            key: ["org", "name"],
            columns: ["org TEXT NOT NULL", "name TEXT NOT NULL"]
        ),
        Table("rota", key: ["org", "name"], columns: ["org TEXT NOT NULL", "name TEXT NOT NULL"]),
        Table(
            "call_out",
            key: ["id"],
            columns: [
                "id TEXT NOT NULL", "number INTEGER NOT NULL", "org TEXT NOT NULL", "cause TEXT",
                "until INTEGER NOT NULL", "is_open INTEGER NOT NULL",
            ],
            indexes: [
                ["number"], ["is_open", "number"], ["org", "number"], ["org", "is_open", "number"],
                ["cause", "number"],
            ]
        ),
    ]
}

extension AlertQueueProjector {
    static let callOuts = Handlers {
        On(ChainDefined.self) { chain, event, rows in
            rows.run(
                chain.isRetired
                    ? "DELETE FROM chain WHERE org = ?1 AND name = ?2"
                    : "INSERT OR REPLACE INTO chain VALUES (?1, ?2)",
                event.envelope.organisation,
                chain.name
            )
        }
        On(RotaDefined.self) { rota, event, rows in
            rows.run(
                rota.isRetired
                    ? "DELETE FROM rota WHERE org = ?1 AND name = ?2"
                    : "INSERT OR REPLACE INTO rota VALUES (?1, ?2)",
                event.envelope.organisation,
                rota.name
            )
        }
        On(CallOutOpened.self) { opened, event, rows in
            rows.run(
                "INSERT OR REPLACE INTO call_out VALUES (?1, ?2, ?3, ?4, ?5, 1)",
                event.subjectName,
                event.position,
                event.envelope.organisation,
                opened.cause,
                event.time
            )
        }
        On(CallOutEscalated.self) { escalated, event, rows in
            rows.run(
                "UPDATE call_out SET until = ?2 WHERE id = ?1",
                event.subjectName,
                escalated.until
            )
        }
        On(CallOutEnded.self) { ended, event, rows in
            rows.run("UPDATE call_out SET is_open = 0 WHERE id = ?1", event.subjectName)
            if ended.end != .exhausted { cancelAlerts(of: event, in: rows) }
        }
    }
}

extension AlertQueue {
    /// The names of an organisation's chains.
    public func chains(of organisation: OrganisationID) async throws -> [String] {
        try await database.read { view in
            try view.all("SELECT name FROM chain WHERE org = ?1 ORDER BY name", organisation) {
                try $0.text()
            }
        }
    }

    /// All chains.
    public func chains() async throws -> [(organisation: OrganisationID, name: String)] {
        try await database.read { view in
            try view.all("SELECT org, name FROM chain ORDER BY org, name") {
                (try $0.value(), try $0.text())
            }
        }
    }

    /// The names of an organisation's rotas.
    public func rotas(of organisation: OrganisationID) async throws -> [String] {
        try await database.read { view in
            try view.all("SELECT name FROM rota WHERE org = ?1 ORDER BY name", organisation) {
                try $0.text()
            }
        }
    }

    /// All call-outs that go on, oldest first.
    public func openCallOuts() async throws -> [CallOutRow] {
        var (all, after): ([CallOutRow], LogPosition?) = ([], nil)
        while true {
            let page = try await database.read { [after] view in
                var query = Query(CallOutRow.selection)
                query.filter(leading: "is_open = ?", 1)
                query.filter("number > ?", after)
                query.order(by: "number", limit: ProjectionLimits.listRowsMax)
                return try view.all(query, read: CallOutRow.init)
            }
            all += page
            guard page.count == ProjectionLimits.listRowsMax, let last = page.last else {
                return all
            }
            after = last.position
        }
    }

    /// The call-outs of a scope, newest first; `before` is the cursor.
    public func callOuts(
        in scope: Scope,
        isOpen: Bool? = nil,
        before: LogPosition? = nil,
        limit: Int = 50
    ) async throws -> [CallOutRow] {
        try await database.read { view in
            var query = Query(CallOutRow.selection)
            query.filter(scope)
            query.filter("is_open = ?", isOpen.map { $0 ? 1 : 0 })
            query.filter("number < ?", before)
            query.order(by: "number DESC", limit: bounded(limit))
            return try view.all(query, read: CallOutRow.init)
        }
    }

    /// Whether something was ever a call-out's cause.
    public func hasCallOut(about cause: Subject) async throws -> Bool {
        try await database.read { view in
            try view.first("SELECT 1 FROM call_out WHERE cause = ?1 LIMIT 1", cause) {
                try $0.integer()
            } != nil
        }
    }
}

/// Where a call-out stands in the log, and when its step is over.
public struct CallOutRow: Hashable, Sendable {
    public let id: CallOutID
    public let position: LogPosition
    public let until: Timestamp

    static let selection = "SELECT id, number, until FROM call_out"

    init(_ row: inout RowReader) throws {
        id = try row.value()
        position = try row.position()
        until = try row.time()
    }
}
