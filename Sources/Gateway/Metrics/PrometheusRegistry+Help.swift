// SPDX-License-Identifier: Apache-2.0

/// What each number means, for the `HELP` lines; `Documentation/Operations.md` says what to do about it.
extension PrometheusRegistry {
    /// The words for a name of ours; `nil` for one that nobody described.
    static func help(_ name: String) -> String? { helps[name] }

    private static let helps: [String: String] = [
        "daybook_archive_late_total":
            "Chunks of video that were safe later than a second after they came.",
        "daybook_archive_recordings": "Recordings held open.",
        "daybook_archive_seconds":
            "From the arrival of a picture to its chunk being on disk and in the log.",
        "daybook_archive_unfinished_bytes":
            "Bytes of unfinished pictures in memory beyond what every stream may have.",
        "daybook_build_info": "Always 1; its label says which program this is.",
        "daybook_certificate_expiry_seconds":
            "When the TLS certificate expires, in seconds since 1970.",
        "daybook_connections_closed_total":
            "Connections that the door did not take or closed by itself, by reason.",
        "daybook_connections_open": "Connections that are open.",
        "daybook_connections_strangers": "Of these, such as have asked for nothing yet.",
        "daybook_clock_lead_seconds":
            "How far the wall clock is ahead of the ledger's time; below zero it is behind.",
        "daybook_events_total": "Events appended since the start, by kind.",
        "daybook_free_bytes": "Free bytes of the disk that a part of the folder is on.",
        "daybook_http_request_seconds": "How long requests took, by route.",
        "daybook_http_requests_total": "Requests answered, by route and status.",
        "daybook_inspection_children": "Decoding processes that are kept.",
        "daybook_inspection_seconds":
            "From a chunk being archived to its pictures having been looked at.",
        "daybook_inspection_waiting": "Streams that wait for their turn at the decoder.",
        "daybook_log_bytes": "Bytes that the log takes on disk.",
        "daybook_log_commits": "Commits since the start, each synced.",
        "daybook_log_events": "Events in the log.",
        "daybook_log_lines_lost_total":
            "Lines of the gateway's own log that nobody was given: a full disk, or nobody reads them.",
        "daybook_log_read_only": "1 when the log takes nothing.",
        "daybook_metrics_dropped_total": "Series that were not taken, for there are too many.",
        "daybook_person_keys": "Keys of people.",
        "daybook_sip_connections": "Connections of telephones and trunks.",
        "daybook_sip_dropped":
            "Messages beyond the limits of their address, dropped since the start.",
        "daybook_sip_malformed": "Messages that are no SIP, since the start.",
        "daybook_sip_over_limit":
            "Requests beyond the limits of their address, answered 503 since the start.",
        "daybook_sip_requests_open": "Requests of telephones that are being handled.",
        "daybook_sip_transactions": "Transactions of SIP that have not ended.",
        "daybook_pushes_total":
            "Attempts to tell a phone, by how they ended: sent, temporary, permanent, expired.",
        "daybook_refusals_total": "Refusals recorded in the ledger, by reason.",
        "daybook_read_model_behind": "Events that a read model has not applied yet.",
        "daybook_read_model_serving": "1 while a read model answers.",
        "daybook_sandboxed": "1 where video is decoded in a sandbox.",
        "daybook_sockets_open": "WebSockets that are open, by the pattern of their path.",
        "daybook_stills_waiting": "Stills that are being decoded or wait.",
        "daybook_strangers_refused":
            "Requests without a valid token that were turned away, by reason.",
        "daybook_unsigned_events": "Events that no signed checkpoint covers yet.",
        "daybook_unsigned_seconds": "For how long the oldest of them has waited.",
        "process_cpu_seconds_total": "Processor time.",
        "process_max_fds": "Descriptors that may be open.",
        "process_open_fds": "Descriptors that are open.",
        "process_resident_memory_bytes": "Resident memory.",
        "process_start_time_seconds": "When the process began, in seconds since 1970.",
        "process_threads": "Threads.",
        "process_virtual_memory_bytes": "Address space; the map of the log is a part of it.",
    ]
}
