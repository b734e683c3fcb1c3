// SPDX-License-Identifier: Apache-2.0
extension EntryHead {
    /// The bytes of the whole entry, as the log's writer lays them down.
    ///
    /// For tools that make a log without a writer; what they made is checked when it is restored.
    package func entry(
        at position: LogPosition,
        _ revision: Revision,
        of subject: Subject,
        time: Timestamp,
        source: String
    ) -> [UInt8] {
        let tail = EntryTail(
            position: position,
            revision: revision,
            source: source,
            subject: subject,
            time: time,
            kind: kind
        )
        return bytes
            + [UInt8](unsafeUninitializedCapacity: EventLimits.tailBytesMax) { buffer, count in
                count = tail.write(into: buffer)
            }
    }
}
