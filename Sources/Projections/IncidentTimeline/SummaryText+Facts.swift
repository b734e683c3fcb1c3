// SPDX-License-Identifier: Apache-2.0
import Events

/// What each event says in its line of the timeline.
extension SummaryText {
    static func of(_ fact: Fact) -> SummaryText {
        var summary = SummaryText()
        switch fact {
        case .session(let event): summary.add(event)
        case .incident(let event): summary.add(event)
        case .stream(let event): summary.add(event)
        case .chat(let event): summary.add(event)
        case .location(let event): summary.add(event)
        case .report(let event): summary.add(event)
        case .alert(let event): summary.add(event)
        case .device, .user, .patrol, .access, .person, .hold, .policy, .clock: break
        }
        return summary
    }

    private mutating func add(_ event: SessionEvent) {
        switch event {
        case .created(let fact):
            add("incident", fact.incident)
            add("channel", fact.channel.rawValue)
            add("openedBy", fact.openedBy.rawValue)
            add("operator", fact.openedByUser)
            add("phone", fact.phone)
            add("expiresAt", fact.expiresAt)
        case .expired(let fact): add("reason", fact.reason.rawValue)
        case .claimed(let fact): add("owner", fact.owner)
        case .released(let fact):
            add("owner", fact.owner)
            add("reason", fact.reason.rawValue)
        case .resumed(let fact):
            add("by", fact.by.rawValue)
            add("gapMilliseconds", fact.gapMilliseconds)
        case .activitySignalled(let fact):
            add("by", fact.by.rawValue)
            add("activity", fact.activity.rawValue)
            add("stream", fact.stream)
        case .sealed(let fact):
            add("by", fact.by)
            add("reason", fact.reason)
        case .unsealed(let fact):
            add("by", fact.by)
            add("reason", fact.reason)
        case .offered(let fact):
            add("to", fact.to)
            add("by", fact.by)
            add("reason", fact.reason)
        case .offerDeclined(let fact): add("by", fact.by)
        case .transferred(let fact):
            add("from", fact.from)
            add("to", fact.to)
            add("reason", fact.reason.rawValue)
        case .linkProposed(let fact):
            add("from", fact.from)
            add("by", fact.by)
        case .linkDeclined(let fact):
            add("from", fact.from)
            add("proposer", fact.proposer)
        case .linkAccepted(let fact):
            add("from", fact.from)
            add("proposer", fact.proposer)
            add("incident", fact.incident)
        case .unattended(let fact):
            add("owner", fact.owner)
            add("takeOverAt", fact.takeOverAt)
        case .requestSent(let fact):
            add("request", fact.request)
            add("ask", fact.ask.rawValue)
        case .requestOpened(let fact): add("request", fact.request)
        case .requestAnswered(let fact):
            add("request", fact.request)
            add("answer", fact.answer.rawValue)
        case .linkIssued(let fact):
            add("link", fact.link)
            add("by", fact.by)
            add("expiresAt", fact.expiresAt)
        case .linkOpened(let fact):
            add("link", fact.link)
            add("device", fact.device)
        case .consentRecorded(let fact):
            add("scope", fact.scope.rawValue)
            add("decision", fact.decision.rawValue)
        case .closed(let fact):
            add("by", fact.by.rawValue)
            add("owner", fact.owner)
            add("disposition", fact.disposition)
            add("note", fact.note)
        }
    }

    private mutating func add(_ event: IncidentEvent) {
        switch event {
        case .opened(let fact):
            add("type", fact.type)
            add("priority", fact.priority)
            add("summary", fact.summary)
        case .sessionLinked(let fact):
            add("session", fact.session)
            add("from", fact.from)
            add("reason", fact.reason)
        case .sessionUnlinked(let fact):
            add("session", fact.session)
            add("to", fact.to)
            add("reason", fact.reason)
        case .merged(let fact):
            add("into", fact.into)
            add("sessions", fact.sessions.count)
            add("reason", fact.reason)
        case .unmerged(let fact):
            add("from", fact.from)
            add("sessions", fact.sessions.count)
            add("reason", fact.reason)
        case .classified(let fact):
            add("type", fact.type)
            add("priority", fact.priority)
            add("typeBefore", fact.typeBefore)
            add("priorityBefore", fact.priorityBefore)
        case .noteAdded(let fact):
            add("session", fact.session)
            add("text", fact.text)
        case .addressSet(let fact):
            add("address", fact.address)
            add("plusCode", fact.plusCode)
            add("source", fact.source.rawValue)
        }
    }

    private mutating func add(_ event: ChatEvent) {
        switch event {
        case .messageSent(let fact):
            add("from", fact.from.rawValue)
            add("text", fact.text)
            add("message", fact.message)
            add("temporaryID", fact.temporaryID)
        case .attachmentAdded(let fact):
            add("from", fact.from.rawValue)
            add("mediaType", fact.mediaType.rawValue)
            add("width", fact.width)
            add("height", fact.height)
            add("message", fact.message)
            add("temporaryID", fact.temporaryID)
            add("blob", fact.blob)
        case .messageRejected(let fact):
            add("from", fact.from.rawValue)
            add("temporaryID", fact.temporaryID)
            add("reason", fact.reason)
        case .messageDelivered(let fact):
            add("message", fact.message)
            add("to", fact.to.rawValue)
        case .messageSeen(let fact):
            add("upTo", fact.upTo)
            add("by", fact.by.rawValue)
        }
    }

    private mutating func add(_ event: LocationEvent) {
        switch event {
        case .reported(let fact):
            add("fix", fact.fix)
            add("method", fact.method)
            add("request", fact.request)
        case .unavailable(let fact):
            add("reason", fact.reason.rawValue)
            add("request", fact.request)
        }
    }

    private mutating func add(_ event: ReportEvent) {
        switch event {
        case .submitted(let fact):
            add("species", fact.species)
            add("sizeClass", fact.sizeClass.rawValue)
            add("condition", fact.condition.rawValue)
            add("fix", fact.fix)
            add("notes", fact.notes)
            add("contact", fact.contact)
            add("photos", fact.photos.count)
        case .statusChanged(let fact):
            add("from", fact.from.rawValue)
            add("to", fact.to.rawValue)
            add("by", fact.by)
            add("note", fact.note)
        }
    }

    private mutating func add(_ event: AlertEvent) {
        switch event {
        case .queued(let fact):
            add("cause", fact.cause)
            add("severity", fact.severity.rawValue)
            add("template", fact.template)
            add("sms", fact.sms)
            add("email", fact.email)
            add("push", fact.push)
        case .deliveryAttempted(let fact):
            add("channel", fact.channel.rawValue)
            add("attempt", fact.attempt)
        case .sent(let fact):
            add("channel", fact.channel.rawValue)
            add("attempt", fact.attempt)
        case .failed(let fact):
            add("channel", fact.channel.rawValue)
            add("attempt", fact.attempt)
            add("permanence", fact.permanence.rawValue)
            add("error", fact.error)
        }
    }
}
