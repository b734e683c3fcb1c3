// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

extension Verify {
    /// Holds the keys of people against the people whom the log names; without the master key, the slots of their file.
    mutating func checkPeople(_ log: LogVerification) {
        for (person, position) in log.merge.erasures { noteErasure(of: person, at: position) }
        let erased = erasures
        // Read behind the log: a key is on disk before the first entry that is sealed with it.
        let slots = readSlots(log.merge.sealed.people.keys.contains { erased[$0] == nil })
        guard options.keys != nil || slots != nil else { return }
        let keys = options.keys
        let has = { (person: PersonID) in
            keys?.key(of: person) != nil || slots?.live.contains(person) ?? false
        }
        for (person, place) in log.merge.sealed.people.sorted(by: {
            $0.value.first < $1.value.first
        })
        where !has(person) && erasure(of: person) == nil {
            guard !isUnexplained("keys of people") else { continue }
            add(
                Finding(
                    .damage,
                    place: "keys",
                    position: place.first,
                    "there is no key for person \(person), whose \(place.count) sealed fields begin at position \(place.first), and no event erased them",
                    advice: "restore the file of keys from a backup"
                )
            )
        }
        let file = folder.appending(path: "keys")
        let isOfFile = slots != nil
        for (person, position) in erased
        where slots.map({ $0.live.contains(person) }) ?? has(person) {
            let finding = Finding(
                .damage,
                place: "keys",
                position: position,
                "person \(person) was erased by position \(position) and their key is still there",
                advice: remedy(forErasureAt: position)
            )
            addRemains(finding) { !isOfFile || Self.isLive(person, in: file) }
        }
    }

    private static func isLive(_ person: PersonID, in file: URL) -> Bool {
        do {
            return try KeySlots(reading: file).live.contains(person)
        } catch {
            // What could be read a moment ago and cannot now is not gone.
            return true
        }
    }

    /// What the file of keys says without the master key; `nil` if it is not looked at or not here.
    private mutating func readSlots(_ isNeeded: Bool) -> KeySlots? {
        guard options.looks(at: .keys) else { return nil }
        let file = folder.appending(path: "keys")
        guard FileManager.default.fileExists(atPath: file.path) else {
            if isNeeded {
                add(
                    .damage,
                    "keys",
                    "it is missing: names, numbers and texts cannot be read any more",
                    "restore the file of keys from a backup, or say --without keys"
                )
            }
            return nil
        }
        do {
            let slots = try KeySlots(reading: file)
            for slot in slots.damaged.prefix(ReplayLimits.findingsPerCheckMax) {
                add(
                    .damage,
                    "keys",
                    "slot \(slot) is damaged",
                    "restore the file of keys from a backup"
                )
            }
            return slots
        } catch {
            // Whoever opened it with the master key has found the same.
            if options.masterKey == nil || options.keys != nil,
                let fault = noteUnlessOwn(error, "keys")
            {
                add(.damage, "keys", fault, "restore the file of keys from a backup")
            }
            return nil
        }
    }
}
