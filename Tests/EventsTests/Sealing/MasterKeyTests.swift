// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import TestSupport
import Testing

@Suite struct `A master key` {
    @Test(
        arguments: [
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F\n",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            " AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n",
        ]
    )
    func `is read from hexadecimal digits and from base64`(text: String) {
        #expect(MasterKey(text: text) != nil)
    }

    @Test(arguments: [
        "", "abc", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg", String(repeating: "g", count: 64),
    ])
    func `is refused in any other form`(text: String) {
        #expect(MasterKey(text: text) == nil)
    }

    @Test func `is made in a file that its owner alone may read`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "master.key")
        let made = try MasterKey.create(at: file)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let keys = folder.url.appending(path: "keys")
        _ = try KeyStore.open(at: keys, masterKey: made)
        _ = try KeyStore.open(at: keys, masterKey: MasterKey.read(from: file))
        #expect(throws: SealingError.masterKeyExists(file)) { try MasterKey.create(at: file) }
    }

    @Test func `that is missing or misshapen says so`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "master.key")
        #expect(throws: SealingError.masterKeyMissing(place: file.path)) {
            try MasterKey.read(from: file)
        }
        try Data("short".utf8).write(to: file)
        #expect(throws: SealingError.masterKeyMalformed(place: file.path, bytes: 5)) {
            try MasterKey.read(from: file)
        }
        #expect(throws: SealingError.self) {
            try MasterKey.read(fromEnvironment: "DAYBOOK_NO_SUCH_VARIABLE")
        }
    }
}
