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
        // Nearly every sealed field is a member of `data` itself, with a plain name.
        if frames.count == 1, frames[0].isObject, let current = frames[0].current {
            let name = name(of: members[frames[0].members.lowerBound + current])
            if name.utf8.allSatisfy(isPlainInPointer) { return "/" + name }
        }
        return jsonPointer(codingPath)
    }

    /// The name of a member, as text.
    func name(of member: Member) -> String {
        JSONString.text(scanned: UnsafeBufferPointer(rebasing: bytes[member.name]))
    }

    /// Looks for a member of an object.
    ///
    /// - Returns: Its number from 0.
    func find(_ name: String, in frame: Frame) -> Int? {
        var name = name
        return name.withUTF8 { wanted in
            let prefix = NamePrefix(wanted).bytes
            for index in frame.members where isNamed(members[index], wanted, prefix) {
                return index - frame.members.lowerBound
            }
            return nil
        }
    }

    @inline(__always)
    private func isNamed(
        _ member: Member,
        _ wanted: UnsafeBufferPointer<UInt8>,
        _ prefix: UInt64
    ) -> Bool {
        if member.name.count == wanted.count {
            guard member.prefix.bytes == prefix else { return false }
            guard wanted.count > 8 else { return true }
            return bytes[member.name].dropFirst(8).elementsEqual(wanted.dropFirst(8))
        }
        // An escaped name is longer than what it stands for.
        return member.name.count > wanted.count && isNamedEscaped(member, wanted)
    }

    private func isNamedEscaped(_ member: Member, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        let name = UnsafeBufferPointer(rebasing: bytes[member.name])
        guard name.contains(UInt8(ascii: "\\")) else { return false }
        return JSONString.text(escaped: name)?.utf8.elementsEqual(wanted) ?? false
    }
}

/// Whether a byte of a name stands in a JSON pointer as it is.
func isPlainInPointer(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "~") && byte != UInt8(ascii: "/")
}
