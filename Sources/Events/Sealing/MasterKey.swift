// SPDX-License-Identifier: Apache-2.0
internal import Crypto
public import Foundation

/// The secret that wraps the keys of people; it comes from outside the ledger's folder.
public struct MasterKey: Sendable {
    let symmetricKey: SymmetricKey

    /// Makes a new one from the system's chance.
    public static func random() -> MasterKey {
        MasterKey(symmetricKey: SymmetricKey(size: .bits256))
    }

    /// Reads 64 hexadecimal digits, or the base64 or base64url of 32 bytes; `nil` for anything else.
    public init?(text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let bytes = Self.bytes(hexadecimal: text) ?? Self.bytes(base64: text),
            bytes.count == 32
        else { return nil }
        symmetricKey = SymmetricKey(data: bytes)
    }

    /// Reads the file that holds it as text.
    public static func read(from file: URL) throws(SealingError) -> MasterKey {
        let content: Data
        do {
            content = try Data(contentsOf: file)
        } catch {
            guard access(file.path, R_OK) == 0 || errno != EACCES else {
                throw .system(call: "open", file, errno: EACCES)
            }
            throw .masterKeyMissing(place: file.path)
        }
        return try read(String(decoding: content, as: UTF8.self), from: file.path)
    }

    /// Reads an environment variable that holds it as text.
    public static func read(fromEnvironment name: String) throws(SealingError) -> MasterKey {
        guard let text = ProcessInfo.processInfo.environment[name] else {
            throw .masterKeyMissing(place: "the environment variable \(name)")
        }
        return try read(text, from: "the environment variable \(name)")
    }

    /// Makes a new one and keeps it in a new file that only its owner may read.
    ///
    /// Returns once the file is on disk; a file that exists is never overwritten.
    public static func create(at file: URL) throws(SealingError) -> MasterKey {
        let key = random()
        let created: KeyFile
        do {
            created = try KeyFile(file, flags: O_WRONLY | O_CREAT | O_EXCL)
        } catch .system(_, _, EEXIST) {
            throw .masterKeyExists(file)
        }
        try created.write(Array(key.hexadecimal.utf8), at: 0)
        try created.sync()
        try created.syncFolder()
        return key
    }

    private init(symmetricKey: SymmetricKey) {
        self.symmetricKey = symmetricKey
    }

    private static func read(_ text: String, from place: String) throws(SealingError) -> MasterKey {
        guard let key = MasterKey(text: text) else {
            throw .masterKeyMalformed(place: place, bytes: text.utf8.count)
        }
        return key
    }

    private var hexadecimal: String {
        symmetricKey.withUnsafeBytes { bytes in
            let digits = bytes.flatMap { [lowerHexDigit(of: $0 >> 4), lowerHexDigit(of: $0 & 15)] }
            return String(decoding: digits, as: UTF8.self) + "\n"
        }
    }

    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        guard text.utf8.count == 64 else { return nil }
        var bytes: [UInt8] = []
        var rest = text[...]
        while !rest.isEmpty {
            guard rest.prefix(2).allSatisfy(\.isHexDigit),
                let byte = UInt8(rest.prefix(2), radix: 16)
            else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    private static func bytes(base64 text: String) -> [UInt8]? {
        let safe = text.replacing("+", with: "-").replacing("/", with: "_")
        return Base64URL.bytes(String(safe.prefix { $0 != "=" }))
    }
}

extension MasterKey: CustomStringConvertible {
    /// Says nothing, so that no key gets into a log file.
    public var description: String { "MasterKey(…)" }
}
