// SPDX-License-Identifier: Apache-2.0
import Crypto
import EventsTesting
import Foundation
import Testing

@testable import Gateway

@Suite struct `Encrypting for a browser` {
    @Test func `gives the bytes of RFC 8291, appendix A`() throws {
        let receiver = try PushReceiver(
            p256dh:
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            auth: "BTBZMqHH6r4Tts7J_aSIgg"
        )
        let ephemeral = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
        )
        let sealed = try receiver.seal(
            Data("When I grow up, I want to be a watermelon".utf8),
            with: ephemeral,
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
            filled: 0
        )
        #expect(
            sealed.base64URL
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLoc"
                + "InmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLV"
                + "WGNWQexSgSxsj_Qulcy4a-fN"
        )
    }

    @Test func `gives the bytes of RFC 8188, section 3_1`() throws {
        let sealed = try EncryptedContent(salt: bytes("I1BsxtFttlv3u_Oo94xnmw")).seal(
            Data("I am the walrus".utf8),
            secret: SymmetricKey(data: bytes("yqdlZ-tYemfogSmv7Ws5PQ")),
            keyID: Data()
        )
        #expect(
            sealed.base64URL
                == "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"
        )
    }

    @Test func `is read back by the tests' own reader, which reads RFC 8188, section 3_2`() throws {
        let published = try bytes(
            "uNCkWiNYzKTnBN9ji3-qWAAAABkCYTHOG8chz_gnvgOqdGYovxyjuqRyJFjEDyoF1Fvkj6hQPdPHI51OEUKEpgz3SsLWIqS_uA"
        )
        let secret = try bytes("BO3ZVPxUlnLORbVGMpbT1Q")
        let read = try BrowserKeys.open(published, keyingMaterial: secret)
        #expect(String(decoding: read, as: UTF8.self) == "I am the walrus")
    }

    @Test(arguments: UInt64(0)..<50)
    func `is undone by a browser's keys, whatever the message and the records`(seed: UInt64) throws
    {
        var chance = SeededGenerator(seed: seed)
        let message = Data((0..<Int.random(in: 0...300, using: &chance)).map { UInt8($0 & 0xFF) })
        let keys = BrowserKeys()
        let receiver = try PushReceiver(p256dh: keys.p256dh, auth: keys.auth)
        #expect(try keys.open(receiver.seal(message)) == message)

        let content = EncryptedContent(
            salt: Data(SecretBytes.random(16)),
            recordBytes: Int.random(in: 18...64, using: &chance)
        )
        let secret = Data(SecretBytes.random(16))
        let sealed = try content.seal(
            message,
            secret: SymmetricKey(data: secret),
            keyID: Data("a1".utf8)
        )
        #expect(try BrowserKeys.open(sealed, keyingMaterial: secret) == message)
    }

    @Test func `makes messages of one length`() throws {
        let keys = BrowserKeys()
        let receiver = try PushReceiver(p256dh: keys.p256dh, auth: keys.auth)
        let lengths = try ["chat", "video_call", "location"].map {
            try receiver.seal(Data($0.utf8)).count
        }
        #expect(Set(lengths).count == 1)
        #expect(lengths[0] <= PushLimits.messageBytes)
    }

    @Test(arguments: ["", "AAAA", "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORc", "not base64!"])
    func `refuses what is no key of a browser`(key: String) {
        #expect(throws: Problem.self) { try PushReceiver(p256dh: key, auth: BrowserKeys().auth) }
        #expect(throws: Problem.self) { try PushReceiver(p256dh: BrowserKeys().p256dh, auth: key) }
    }

    private func bytes(_ text: String) throws -> Data { try #require(Data(base64URL: text)) }
}
