// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOSSL

/// What a gateway is told, looked through and read before a ledger is opened; nothing is made or changed.
///
/// A start and `daybook doctor` both prepare, so that what one refuses the other refuses, in the same words.
struct Preparation {
    /// The certificate of TLS; `nil` for plain HTTP.
    let certificates: Certificates?
    /// The web pages.
    let pages: PageFolder
    /// The maps.
    let maps: MapShelf

    /// - Throws: ``StartError``, `MapError`: the first that keeps the gateway from its start.
    init(_ configuration: GatewayConfiguration) throws {
        try configuration.check()
        try Self.checkOrigin(configuration)
        try Self.checkRoots(configuration.push.trustRoots)
        certificates = try configuration.tls.map(Self.certificates)
        pages = try Self.pages(configuration)
        maps = try MapShelf(configuration)
    }

    /// The pages as they lie there now.
    static func pages(_ configuration: GatewayConfiguration) throws -> PageFolder {
        guard let folder = configuration.pages ?? PageFolder.standard() else { return .empty }
        return try PageFolder(
            at: folder,
            of: configuration.site,
            isCompressed: !configuration.rereadsPages
        )
    }

    /// Reads the pages again; `nil` where they are read once.
    static func reread(
        _ configuration: GatewayConfiguration
    ) -> (@Sendable () throws -> PageFolder)? {
        guard configuration.rereadsPages else { return nil }
        return { try pages(configuration) }
    }

    private static func certificates(
        _ files: GatewayConfiguration.TLSFiles
    ) throws(StartError) -> Certificates {
        for path in [files.certificateChain, files.privateKey] { try checkReadable(path) }
        do {
            return try Certificates(
                .init(certificateChain: files.certificateChain, privateKey: files.privateKey)
            )
        } catch {
            throw .certificateUnusable(
                files.certificateChain,
                key: files.privateKey,
                reason: "\(error)"
            )
        }
    }

    /// Pushes would fail one by one, and nobody be alerted.
    private static func checkRoots(_ path: String?) throws(StartError) {
        guard let path else { return }
        try checkReadable(path)
        do {
            guard try !NIOSSLCertificate.fromPEMFile(path).isEmpty else {
                throw StartError.folder(path, reason: "it has no certificate (--push-roots)")
            }
        } catch let error as StartError {
            throw error
        } catch {
            throw .folder(path, reason: "it is no PEM file of certificates (--push-roots)")
        }
    }

    private static func checkReadable(_ path: String) throws(StartError) {
        guard access(path, R_OK) != 0 else { return }
        throw .folder(path, reason: String(cString: strerror(errno)))
    }

    private static func checkOrigin(_ configuration: GatewayConfiguration) throws(StartError) {
        let folder = LedgerFolder(root: configuration.folder)
        guard let asked = configuration.origin else { return }
        // Before a master key is made for it.
        _ = try SigningIdentity.signer(asked)
        guard let found = try LedgerIdentity.read(from: folder.identity)?.origin, found != asked
        else { return }
        // A name that cannot be read yet, or is being begun anew, is for the opening to judge.
        guard !configuration.beginsNewOrigin else { return }
        throw .otherOrigin(found: found, asked: asked)
    }
}
