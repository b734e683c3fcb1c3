// SPDX-License-Identifier: Apache-2.0
extension CanonicalEncoding {
    /// Where the run stands, for those who ask through `Encoder`.
    var codingPath: [any CodingKey] {
        path.map { step in
            switch step {
            case .name(let name): JSONPathKey(stringValue: name)
            case .index(let index): JSONPathKey(intValue: index)
            }
        }
    }

    /// Where the run stands, as a JSON pointer (RFC 6901).
    var pointer: String {
        // Nearly every sealed field is a member of `data` itself, with a plain name.
        if frames.count == 1, frames[0].inMember {
            let name = writer.memberName(at: writer.members.count - 1)
            if name.utf8.allSatisfy(isPlainInPointer) { return "/" + name }
        }
        return jsonPointer(codingPath)
    }

    private enum Step {
        case name(String)
        case index(Int)
    }

    private var path: [Step] {
        var member = writer.members.count
        var steps: [Step] = []
        for frame in frames.reversed() {
            if let object = frame.object {
                if frame.inMember { steps.append(.name(writer.memberName(at: member - 1))) }
                member = object.firstMember
            } else if frame.elements > 0 {
                steps.append(.index(frame.elements - 1))
            }
        }
        return steps.reversed()
    }
}

extension CanonicalWriter {
    /// The name of a member of an object that is still open.
    func memberName(at index: Int) -> String {
        let member = members[index]
        let name = UnsafeBufferPointer(
            start: base + member.start + 1,
            count: member.nameEnd - member.start - 2
        )
        return JSONString.text(scanned: name)
    }
}

/// A step of a coding path: a member's name or an element's index.
struct JSONPathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
