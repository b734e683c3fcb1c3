// SPDX-License-Identifier: Apache-2.0
public import Events

/// Which webhooks there are; what became of them is in the log.
///
/// A part of ``AlertQueue``.
enum WebhookTables {
    static let all = [
        Table("webhook", key: ["org", "id"], columns: ["org TEXT NOT NULL", "id TEXT NOT NULL"])
    ]
}

extension AlertQueueProjector {
    static let webhooks = Handlers {
        On(WebhookSet.self) { webhook, event, rows in
            rows.run(
                webhook.isRetired
                    ? "DELETE FROM webhook WHERE org = ?1 AND id = ?2"
                    : "INSERT OR REPLACE INTO webhook VALUES (?1, ?2)",
                event.envelope.organisation,
                event.subjectName
            )
        }
    }
}

extension AlertQueue {
    /// The webhooks of an organisation, or all.
    public func webhooks(of organisation: OrganisationID? = nil) async throws -> [WebhookID] {
        try await database.read { view in
            var query = Query("SELECT id FROM webhook")
            query.filter(leading: "org = ?", organisation)
            query.order(by: "org, id", limit: ProjectionLimits.listRowsMax)
            return try view.all(query) { try $0.value() }
        }
    }
}
