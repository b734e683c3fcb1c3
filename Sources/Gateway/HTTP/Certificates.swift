// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// The certificate chain and key of TLS, read again when their files change; each new connection gets what is there then.
final class Certificates: Sendable {
    /// The PEM files of a certificate chain, leaf first, and its key.
    struct Files: Sendable, Hashable {
        let certificateChain: String
        let privateKey: String
    }

    private struct Loaded {
        var override: NIOSSLContextConfigurationOverride
        var stamps: [String]
    }

    /// How often the files are looked at.
    static let lookInterval = Duration.seconds(5)

    let configuration: TLSConfiguration
    private let files: Files
    private let loaded: Mutex<Loaded>

    /// Reads the files.
    ///
    /// - Throws: When they cannot be read, or do not belong together.
    init(_ files: Files) throws {
        self.files = files
        let stamps = Self.stamps(of: files)
        let (configuration, override) = try Self.load(files)
        self.configuration = configuration
        loaded = Mutex(Loaded(override: override, stamps: stamps))
    }

    /// What the server is configured with: for each connection the chain and key that are here then.
    var serving: TLSConfiguration {
        var configuration = configuration
        configuration.sslContextCallback = { [self] _, promise in
            promise.succeed(loaded.withLock { $0.override })
        }
        return configuration
    }

    /// Looks at the files again and again.
    ///
    /// - Throws: ``CertificateFault`` for new files that cannot be used; the ones before stay in use.
    func watch(_ logger: Logger) async throws {
        while true {
            try reload(logger, evenUnchanged: false)
            try await Task.sleep(for: Self.lookInterval)
        }
    }

    /// Reads the files again where they changed since they were read last.
    func reload(_ logger: Logger, evenUnchanged: Bool) throws(CertificateFault) {
        let stamps = Self.stamps(of: files)
        guard evenUnchanged || loaded.withLock({ $0.stamps != stamps }) else { return }
        do {
            let (_, override) = try Self.load(files)
            loaded.withLock { $0 = Loaded(override: override, stamps: stamps) }
            logger.notice(
                "the certificate was read again",
                metadata: ["file": "\(files.certificateChain)"]
            )
        } catch {
            throw CertificateFault(file: files.certificateChain, reason: "\(error)")
        }
    }

    private static func load(
        _ files: Files
    ) throws -> (TLSConfiguration, NIOSSLContextConfigurationOverride) {
        let chain = try NIOSSLCertificate.fromPEMFile(files.certificateChain)
            .map { NIOSSLCertificateSource.certificate($0) }
        let key = NIOSSLPrivateKeySource.privateKey(
            try NIOSSLPrivateKey(file: files.privateKey, format: .pem)
        )
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain,
            privateKey: key
        )
        configuration.minimumTLSVersion = .tlsv12
        // Refuses a key that is another certificate's.
        _ = try NIOSSLContext(configuration: configuration)
        var override = NIOSSLContextConfigurationOverride()
        override.certificateChain = chain
        override.privateKey = key
        return (configuration, override)
    }

    /// What changes when a file is written or replaced.
    private static func stamps(of files: Files) -> [String] {
        [files.certificateChain, files.privateKey].map { path in
            var facts = stat()
            guard stat(path, &facts) == 0 else { return "missing" }
            return
                "\(facts.st_ino) \(facts.st_size) \(facts.st_mtim.tv_sec) \(facts.st_mtim.tv_nsec)"
        }
    }
}

/// New files of a certificate that cannot be used.
struct CertificateFault: Error, CustomStringConvertible {
    let file: String
    let reason: String

    var description: String {
        "the certificate \(file) could not be read again: \(reason); the one before stays in use: put chain and key right, they are looked at by themselves"
    }
}
