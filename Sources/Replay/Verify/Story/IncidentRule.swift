// SPDX-License-Identifier: Apache-2.0
import Events

/// What an incident is taken for, and what was written down about it.
struct IncidentRule {
    private var isOpened = false
    private var type = ""
    private var priority = 0

    /// Takes the next event of the incident; `notes` are those of all incidents.
    ///
    /// - Returns: The rules that it breaks, in words that go on "it …".
    mutating func apply(_ fact: IncidentEvent, _ notes: inout Set<NoteID>) -> [String] {
        switch fact {
        case .opened(let opened):
            let wasOpened = isOpened
            (isOpened, type, priority) = (true, opened.type, opened.priority)
            return wasOpened ? ["opens once"] : []
        case .classified(let classified):
            var broken = isOpened ? [] : ["is of an opened incident"]
            if !(1...5).contains(classified.priority) { broken.append("has a priority of 1 to 5") }
            if (classified.typeBefore, classified.priorityBefore) != (type, priority) {
                broken.append("tells what it was taken for before")
            }
            if (classified.type, classified.priority) == (type, priority) {
                broken.append("tells something new")
            }
            (type, priority) = (classified.type, classified.priority)
            return broken
        case .noteAdded(let added):
            var broken = isOpened ? [] : ["is of an opened incident"]
            if !notes.insert(added.note).inserted { broken.append("has an id of its own") }
            return broken
        case .footageKept(let kept):
            var broken = isOpened ? [] : ["is of an opened incident"]
            if kept.firstAt >= kept.lastAt { broken.append("ends after it begins") }
            return broken
        case .sessionLinked, .sessionUnlinked, .merged, .unmerged, .addressSet: return []
        }
    }
}
