// SPDX-License-Identifier: Apache-2.0
extension EventDecoder {
    /// Decodes an entry whose envelope is read.
    public func decode(_ entry: Entry) throws(EventDecodingError) -> RecordedEvent {
        let envelope = entry.envelope
        let fact = try decode(entry.data, of: envelope.kind, id: envelope.id)
        return RecordedEvent(envelope: envelope, fact: fact)
    }
}
