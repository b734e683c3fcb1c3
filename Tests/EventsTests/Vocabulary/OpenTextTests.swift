// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Testing

@testable import Events

/// What stands in the log for everybody who has it, and outlives whom it is about.
@Suite struct `Text that lies open` {
    /// Every member of an event that is text and not sealed, and why it may be.
    ///
    /// What somebody writes about a caller is no line of this list: it is sealed for that person, and forgotten with them.
    private static let allowed: [String: String] = [
        // Words of a list, not sentences.
        "session.closed.disposition": "how it ended, a word of the centre",
        "incident.opened.type": "a word of the centre",
        "incident.classified.type": "letters, digits, - and _",
        "incident.classified.typeBefore": "the same",
        "report.submitted.species": "an animal",
        "policy.enabled.policy": "which policy",
        "session.consent_recorded.textVersion": "which text was shown",
        "location.reported.method": "how a place was found",
        "access.read.purpose": "which route read",
        "access.refused.attempt": "method and route, without values",
        "access.refused.network": "an address without its end",
        "alert.queued.template": "which text was sent",
        "alert.queued.deduplicationKey": "which alert it repeats",
        "alert.sent.providerID": "how the provider calls it",
        "alert.failed.error": "what the provider answered",
        "template.defined.name": "a word of the centre",
        "template.defined.language": "two letters",
        "template.defined.subject": "what the centre says to everybody",
        "template.defined.text": "the same",
        "rota.defined.name": "a word of the centre",
        "rota.defined.timeZone": "of the tz database",
        "rota.defined.startsOn": "a day",
        "chain.defined.name": "a word of the centre",
        "chain.defined.steps.targets.rota": "a word of the centre",
        "call_out.opened.chain": "a word of the centre",
        "call_out.opened.steps.targets.rota": "a word of the centre",
        "user.reach_set.language": "two letters",
        "agency.defined.name": "an agency's public data",
        "agency.defined.phone": "the same",
        "agency.defined.email": "the same",
        "agency.defined.address": "the same",
        "agency.defined.website": "the same",
        "agency.defined.donationLink": "the same",
        "agency.defined.types": "animals",
        "report.assigned.cell": "a place to a tenth of a degree, for statistics",
        "webhook.set.url": "a system of a partner",
        "webhook.set.kinds": "kinds of events",
        "webhook.set.secret": "encrypted under the master key",
        "webhook.set.oldSecret": "the same",
        "webhook.failed.error": "what the receiver answered",
        "sip.message_received.trunk": "a word of the centre",
        "sip.malformed_received.fault": "a word of ours",
        "sip.trunk_set.name": "a word of the centre",
        "sip.trunk_set.host": "a machine of a partner",
        "incident.footage_kept.name": "of the centre's",
        "citizen.set.language": "two letters",
        "contact.set.language": "two letters",
        "content.set.language": "two letters",
        "content.set.title": "what the centre says to everybody",
        "content.set.text": "the same",
        "content.set.address": "a place for everybody",
        "content.set.phone": "the same",
        "channel.set.name": "of the centre's",
        "channel.set.site": "of the centre's",
        "channel.message_sent.moment.name": "of the centre's",
        "camera.set.settings.site": "of the centre's",
        "camera.set.settings.name": "of the centre's",
        "camera.set.settings.address": "a machine of the centre",
        "camera.set.settings.user": "the centre's account there",
        "camera.set.settings.secret": "its password, encrypted under the master key",
        "camera.set.settings.notice": "what the centre says to its guards",
        "camera.set.settings.animation": "a word of the site's plan",
        "camera.minute_archived.file": "named after the time",
        "camera.footage_expired.file": "named after the time",
        "sender.set.settings.host": "a machine of the centre",
        "sender.set.settings.from": "as whom the centre writes",
        "sender.set.settings.user": "the centre's account there",
        "sender.set.settings.secret": "its password, encrypted under the master key",
        "sender.set.settings.reportsTo": "this gateway's address",
        "chat.message_rejected.reason": "why it was not taken, a word of ours",
        "stream.gap_detected.cause": "a word of ours",
        "access.read.fields": "the names of what was read",
        "policy.enabled.settings.key": "which setting",
        "stream.recording_failed.reasonCode": "a word of ours",
        "stream.recording_failed.text": "what the system answered",
        // Names of things.
        "stream.started.camera": "how the device calls it",
        "stream.quality_changed.camera": "how the device calls it",
        "stream.camera_switched.camera": "how the device calls it",
        "stream.started.file": "named after the time",
        "stream.chunk_archived.file": "named after the time",
        "stream.finalized.file": "named after the time",
        "stream.started.timeZone": "of the site",
        "patrol.point_defined.site": "of the centre's",
        "patrol.point_defined.name": "of the centre's",
        "tour.defined.site": "of the centre's",
        "tour.defined.name": "of the centre's",
        "chat.message_sent.temporaryID": "the sender's number for it",
        "chat.message_sent.clientTimestamp": "the sender's clock",
        "chat.attachment_added.temporaryID": "the sender's number for it",
        "chat.message_rejected.temporaryID": "the sender's number for it",
        "device.registered.publicKey": "a key",
        "user.token_issued.token": "how it is called, not the token",
        "user.token_revoked.token": "the same",
        // Why the centre did something about itself: no caller's, and what an auditor asks for.
        "user.disabled.reason": "about an account",
        "user.enabled.reason": "about an account",
        "user.role_changed.reason": "about an account",
        "hold.placed.reason":
            "why nothing may be erased, which has to outlive whoever asks for that",
        "hold.placed.authority": "whose order it is",
        "hold.lifted.reason": "as the placing",
        "person.erased.reason": "why somebody's key is gone, which has to outlive the key",
        // About an act; the pages send a phrase of their own, and what is about a person is written into a note.
        "device.revoked.reason": "why a phone was ended",
        "stream.stopped.reason": "why a video ended",
        "incident.session_linked.reason": "why two are one event",
        "incident.session_unlinked.reason": "why they are not",
        "incident.merged.reason": "why two are one event",
        "incident.unmerged.reason": "why they are not",
    ]

    @Test func `is of a list, and says nothing that somebody wrote about a caller`() throws {
        var arbitrary = Arbitrary(seed: 72)
        var found: Set<String> = []
        for kind in EventCatalog.current.written {
            let name = String(kind.text.prefix { $0 != "/" })
            for _ in 0..<40 {
                let fact = try #require(Fact.arbitrary(of: kind, using: &arbitrary))
                found.formUnion(openText(in: fact.payload, at: name))
            }
        }
        #expect(found.subtracting(Self.allowed.keys).sorted() == [])
        #expect(Set(Self.allowed.keys).subtracting(found).sorted() == [])
    }

    /// Where a value has text that is neither sealed nor a name that is checked.
    private func openText(in value: Any, at path: String) -> Set<String> {
        if value is String { return [path] }
        if value is any Closed || value is any NameText || value is any TextIdentifier
            || value is SHA256Digest
        {
            return []
        }
        return Mirror(reflecting: value).children.reduce(into: []) { found, child in
            let label = child.label.flatMap { $0 == "some" ? nil : $0 }
            found.formUnion(openText(in: child.value, at: label.map { "\(path).\($0)" } ?? path))
        }
    }
}

/// Something sealed, of whatever type.
private protocol Closed {}

extension Sealed: Closed {}
