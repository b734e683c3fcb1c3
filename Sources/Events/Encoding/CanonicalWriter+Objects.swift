// SPDX-License-Identifier: Apache-2.0
extension CanonicalWriter {
    /// Begins an object.
    ///
    /// - Returns: What ``closeObject(_:)`` needs to know.
    func openObject() -> OpenObject {
        write(UInt8(ascii: "{"))
        return OpenObject(start: count, firstMember: members.count)
    }

    /// Begins a member; its value is to be written next, then ``endMember()`` called.
    func beginMember(_ name: String) {
        let start = count
        writeString(name)
        members.append(Member(start: start, nameEnd: count, end: 0))
        write(UInt8(ascii: ":"))
    }

    /// Ends the member whose value was written last.
    func endMember() {
        write(UInt8(ascii: ","))
        members[members.count - 1].end = count
    }

    /// Ends an object: puts its members into the order of their names.
    ///
    /// - Returns: A name that occurs twice, as it stands in quotes; the object is then spoilt.
    func closeObject(_ object: OpenObject) -> String? {
        let first = object.firstMember
        guard members.count > first else {
            write(UInt8(ascii: "}"))
            return nil
        }
        var twice: String?
        if !isOrdered(from: first) { twice = sort(from: first, bytesFrom: object.start) }
        members.removeSubrange(first...)
        base[count - 1] = UInt8(ascii: "}")
        return twice
    }

    /// An object that is still open.
    struct OpenObject {
        /// Where its first member begins.
        let start: Int
        /// Where its members begin in ``CanonicalWriter/members``.
        let firstMember: Int
    }

    private func name(of member: Member) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: base + member.start + 1,
            count: member.nameEnd - member.start - 2
        )
    }

    private func isOrdered(from first: Int) -> Bool {
        var index = first + 1
        while index < members.count {
            guard JSONNameOrder.compare(name(of: members[index - 1]), name(of: members[index])) < 0
            else { return false }
            index += 1
        }
        return true
    }

    private func sort(from first: Int, bytesFrom start: Int) -> String? {
        members[first...].sort {
            JSONNameOrder.compare(name(of: $0), name(of: $1)) < 0
        }
        let size = count - start
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { copy in
            guard let copied = copy.baseAddress else { return }
            copied.initialize(from: base + start, count: size)
            var target = base + start
            for member in members[first...] {
                let length = member.end - member.start
                target.update(from: copied + (member.start - start), count: length)
                target += length
            }
        }
        return firstRepeated(from: first, bytesFrom: start)
    }

    /// After the bytes were put in order: neighbours with one name.
    private func firstRepeated(from first: Int, bytesFrom start: Int) -> String? {
        var place = start
        var previous: UnsafeBufferPointer<UInt8>?
        for member in members[first...] {
            let name = UnsafeBufferPointer(
                start: base + place + 1,
                count: member.nameEnd - member.start - 2
            )
            if let previous, previous.elementsEqual(name) {
                return String(decoding: name, as: UTF8.self)
            }
            previous = name
            place += member.end - member.start
        }
        return nil
    }
}
