// SPDX-License-Identifier: Apache-2.0
extension CanonicalWriter {
    /// A member of an object that is still open: where its quoted name begins and ends, and where it ends.
    struct Member {
        let start: Int
        let nameEnd: Int
        var end = 0
        let prefix: NamePrefix
    }

    /// An object that is still open.
    struct OpenObject {
        /// Where its first member begins.
        let start: Int
        /// Where its members begin in ``CanonicalWriter/members``.
        let firstMember: Int
    }

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
        let quoted = UnsafeBufferPointer(start: base + start + 1, count: count - start - 2)
        members.append(Member(start: start, nameEnd: count, prefix: NamePrefix(quoted)))
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
        var moved = false
        for index in (first + 1)..<max(members.count, first + 1) {
            switch sink(index, first) {
            case .stays: break
            case .moves: moved = true
            case .occursTwice(let name): return name
            }
        }
        if moved { arrange(from: first, bytesFrom: object.start) }
        members.removeSubrange(first...)
        base[count - 1] = UInt8(ascii: "}")
        return nil
    }

    private enum Sunk {
        case stays
        case moves
        case occursTwice(String)
    }

    /// Moves a member down to its place among those before it, which are in order: objects are small, and often in order.
    private func sink(_ index: Int, _ first: Int) -> Sunk {
        let member = members[index]
        var place = index
        while place > first {
            let order = compare(members[place - 1], member)
            if order == 0 { return .occursTwice(String(decoding: name(of: member), as: UTF8.self)) }
            if order < 0 { break }
            members[place] = members[place - 1]
            place -= 1
        }
        guard place < index else { return .stays }
        members[place] = member
        return .moves
    }

    private func compare(_ left: Member, _ right: Member) -> Int {
        NamePrefix.compare(left.prefix, right.prefix)
            ?? JSONNameOrder.compare(name(of: left), name(of: right))
    }

    private func name(of member: Member) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: base + member.start + 1,
            count: member.nameEnd - member.start - 2
        )
    }

    /// Puts the bytes of an object's members into the order that the members have.
    private func arrange(from first: Int, bytesFrom start: Int) {
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
    }
}
