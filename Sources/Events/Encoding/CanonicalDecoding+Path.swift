// SPDX-License-Identifier: Apache-2.0
extension CanonicalDecoding {
    /// Where the run stands, for those who ask through `Decoder`.
    var codingPath: [any CodingKey] {
        frames.compactMap { frame in
            guard let current = frame.current else { return nil }
            guard frame.isObject else { return JSONPathKey(intValue: current) }
            return JSONPathKey(stringValue: name(of: members[frame.members.lowerBound + current]))
        }
    }

    /// Where the run stands, as a JSON pointer (RFC 6901).
    var pointer: String {
        jsonPointer(codingPath)
    }

    /// The name of a member, as text.
    func name(of member: Member) -> String {
        let name = UnsafeBufferPointer(rebasing: bytes[member.name])
        return JSONString.text(escaped: name) ?? String(decoding: name, as: UTF8.self)
    }

    /// Looks for a member of an object.
    ///
    /// - Returns: Its number from 0.
    func find(_ name: String, in frame: Frame) -> Int? {
        var name = name
        return name.withUTF8 { wanted in
            for index in frame.members where isNamed(members[index], wanted) {
                return index - frame.members.lowerBound
            }
            return nil
        }
    }

    private func isNamed(_ member: Member, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        let name = UnsafeBufferPointer(rebasing: bytes[member.name])
        if name.count == wanted.count { return name.elementsEqual(wanted) }
        // An escaped name is longer than what it stands for.
        guard name.count > wanted.count, name.contains(UInt8(ascii: "\\")) else { return false }
        return JSONString.text(escaped: name)?.utf8.elementsEqual(wanted) ?? false
    }
}
