// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation
import Maps

/// Looks at a ledger's folder for what keeps a gateway from serving it well; changes nothing.
///
/// It reads beside a running gateway. Whether the entries are sound is for `daybook verify` to say.
public struct Doctor: Sendable {
    private let configuration: GatewayConfiguration
    private var folder: LedgerFolder { LedgerFolder(root: configuration.folder) }

    public init(folder: URL, masterKey: URL? = nil, assets: URL? = nil) {
        var configuration = GatewayConfiguration(folder: folder)
        configuration.assets = assets
        configuration.masterKey = masterKey.map(MasterKeyPlace.file)
        self.configuration = configuration
    }

    /// What one look gave.
    public struct Finding: Codable, Hashable, Sendable {
        public let what: String
        public let isWell: Bool
        /// The fact, and the way out if something is wrong.
        public let detail: String
    }

    /// All looks, in a fixed order.
    public func findings() -> [Finding] {
        let identity = identity()
        guard identity.isWell else { return [identity] }
        return [
            identity, masterKey(), permissions(), room(), clock(), service(), readModels(), maps(),
        ]
            + vendor()
    }

    private func identity() -> Finding {
        do {
            guard let identity = try LedgerIdentity.read(from: folder.identity) else {
                return bad(
                    "ledger",
                    "there is no ledger in \(folder.root.path); check --data, or make one with daybook serve"
                )
            }
            return good("ledger", identity.origin)
        } catch {
            return bad("ledger", "\(error)")
        }
    }

    private func masterKey() -> Finding {
        do {
            let place = configuration.masterKey ?? .standard(for: configuration.folder)
            let key = try place.key(for: folder)
            guard try OriginKey.read(from: folder.root, masterKey: key) != nil else {
                throw StartError.originKeyUnusable(folder.originKey.path)
            }
            return good("master key", "found, lies outside the folder, opens the signing key")
        } catch {
            return bad("master key", "\(error)")
        }
    }

    /// Secrets are for their owner alone.
    private func permissions() -> Finding {
        let secrets = [folder.originKey, folder.pushKey, folder.personKeys, folder.accounts]
        let open = secrets.filter { file in
            guard let mode = Self.mode(of: file) else { return false }
            return mode & 0o077 != 0
        }
        guard open.isEmpty else {
            let names = open.map(\.lastPathComponent).joined(separator: ", ")
            return bad("permissions", "others may read \(names); chmod 600 them")
        }
        return good("permissions", "keys and accounts are for their owner alone")
    }

    private static func mode(of file: URL) -> Int? {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            return (attributes[.posixPermissions] as? NSNumber)?.intValue
        } catch {
            // A file that is not there gives nothing away.
            return nil
        }
    }

    private func room() -> Finding {
        do {
            let attributes = try FileManager.default.attributesOfFileSystem(
                forPath: folder.root.path
            )
            let bytes = (attributes[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
            let mebibytes = bytes / 1_048_576
            guard bytes >= Self.roomNeeded else {
                return bad(
                    "room",
                    "\(mebibytes) MiB are free; below 1024 the ledger takes little but closings: make room"
                )
            }
            return good("room", "\(mebibytes) MiB are free")
        } catch {
            return bad("room", "the file system cannot be asked: \(error.localizedDescription)")
        }
    }

    /// Below this the log takes only access, closing, hold and erasure events (DESIGN §4).
    private static let roomNeeded: Int64 = 1 << 30

    /// A clock that is not followed needs a person; one that was fast once is made up for by itself.
    private func clock() -> Finding {
        guard
            let standing = GuardedClock.standing(of: folder.root, clock: configuration.clock)
        else { return good("clock", "nothing to hold it against yet") }
        return standing.heldSince == nil
            ? good("clock", "\(standing)") : bad("clock", "\(standing)")
    }

    private func service() -> Finding {
        let path = folder.root.appending(path: "lock").path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return good("service", "nobody has served it yet") }
        defer { close(descriptor) }
        // A shared try that lets go at once: it disturbs nobody who already serves.
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
            return good("service", "a gateway serves it")
        }
        flock(descriptor, LOCK_UN)
        return good("service", "nobody serves it; the console may work on it")
    }

    private func readModels() -> Finding {
        do {
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.readModels.path)
            let count = files.count { $0.hasSuffix(".sqlite") }
            return good(
                "read models",
                "\(count) files; whatever is missing is built at the next start"
            )
        } catch {
            return good("read models", "none yet; they are built at the next start")
        }
    }

    private func maps() -> Finding {
        do {
            let shelf = try MapShelf(
                configuration.maps ?? MapShelf.standard(for: configuration.folder)
            )
            guard !shelf.sets.isEmpty else {
                return good("maps", "none, pages show a grid of degrees; make basemap makes one")
            }
            return good("maps", shelf.sets.map(\.path).joined(separator: ", "))
        } catch {
            return bad("maps", "\(error)")
        }
    }

    /// What pages use of others; they do without, so that nothing is wrong where it is missing.
    private func vendor() -> [Finding] {
        let shelf = VendorShelf(assets: configuration.assets)
        let here = shelf.items.map { good($0.file.key, "\($0.path), served as \($0.servedAs)") }
        let missing = shelf.missing.map { file in
            good(
                file.key,
                "not here, pages show less; apt-get install -y --no-install-recommends \(file.package)"
            )
        }
        return here + missing
    }

    private func good(_ what: String, _ detail: String) -> Finding {
        Finding(what: what, isWell: true, detail: detail)
    }

    private func bad(_ what: String, _ detail: String) -> Finding {
        Finding(what: what, isWell: false, detail: detail)
    }
}
