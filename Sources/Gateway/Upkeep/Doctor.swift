// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Maps
import Media

/// Looks at a ledger's folder for what keeps a gateway from serving it well; changes nothing, but for a file that it writes
/// and takes away to see whether the disk syncs.
///
/// It reads beside a running gateway. Whether the entries are sound is for `daybook verify` to say.
public struct Doctor: Sendable {
    let configuration: GatewayConfiguration
    var folder: LedgerFolder { LedgerFolder(root: configuration.folder) }

    /// - Parameter configuration: What the gateway is told.
    public init(_ configuration: GatewayConfiguration) {
        self.configuration = configuration
    }

    /// What one look gave.
    public struct Finding: Codable, Hashable, Sendable {
        public let what: String
        public let level: Level
        /// The fact, and the way out if something is wrong.
        public let detail: String

        /// Whether a gateway serves well with it.
        public var isWell: Bool { level != .fail }

        /// How much it matters.
        public enum Level: String, Codable, Sendable {
            case ok
            /// It serves, and somebody should see to it.
            case warn
            /// It does not serve, or gives something away.
            case fail
        }
    }

    /// All looks, in a fixed order.
    public func findings() -> [Finding] {
        let identity = identity()
        guard identity.isWell else { return [identity] }
        return [identity, masterKey()] + files() + [
            permissions(), marks(), fileSystem(), room(), videoRoom(), sync(), map(), descriptors(),
            clock(), sandbox(), certificateExpiry(), service(), readModels(), journals(), maps(),
            pages(), site(), pushContact(),
        ] + vendor() + [settings()]
    }

    /// Whether a start would refuse what the gateway is told.
    private func settings() -> Finding {
        do {
            _ = try Preparation(configuration)
            return good("settings", "a start takes them")
        } catch {
            return Self.refused(error)
        }
    }

    /// That a start refuses what the gateway is told.
    public static func refused(_ error: any Error) -> Finding {
        Finding(what: "settings", level: .fail, detail: "\(error)")
    }

    private func identity() -> Finding {
        do {
            guard let identity = try LedgerIdentity.read(from: folder.identity) else {
                let place = configuration.masterKey ?? .standard(for: configuration.folder)
                try folder.checkBeginning(isFirst: false, masterKey: place)
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
        let closed = folder.filesClosedToTheirOwner
        guard closed.isEmpty else {
            return bad(
                "permissions",
                "\(closed.joined(separator: ", ")): the owner may not read or write them, and a start is refused: chmod u+rwX them"
            )
        }
        let strangers = folder.strangersFiles
        guard strangers.isEmpty else {
            return bad(
                "permissions",
                "\(strangers.joined(separator: ", ")): another's than the folder; whoever serves it may be kept out: chown --reference=\(folder.root.path) them"
            )
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
            guard bytes >= Int64(LogLimits.freeBytesMin) else {
                return bad(
                    "room",
                    "\(mebibytes) MiB are free; below \(LogLimits.freeBytesMin >> 20) the log takes little but closings: make room"
                )
            }
            return good("room", "\(mebibytes) MiB are free")
        } catch {
            return bad("room", "the file system cannot be asked: \(error.localizedDescription)")
        }
    }

    /// A clock that is not followed needs a person; so does one far behind, which is slow, or was fast once and is made up
    /// for by itself.
    private func clock() -> Finding {
        guard
            let standing = GuardedClock.standing(of: folder.root, clock: configuration.clock)
        else { return good("clock", "nothing to hold it against yet") }
        if standing.heldSince != nil { return bad("clock", "\(standing)") }
        return standing.fault == nil
            ? good("clock", "\(standing)")
            : doubtful(
                "clock",
                "\(standing); look at timedatectl and the time server before anything else"
            )
    }

    /// Whether the folders that may lie on disks of their own are this ledger's.
    private func marks() -> Finding {
        do {
            guard let identity = try LedgerIdentity.read(from: folder.identity) else {
                return good("mounts", "no ledger yet")
            }
            let volumes = try VolumeList.read(of: folder.root).folders(of: folder.root)
            for place in volumes + [folder.blobs] {
                switch FolderMark(in: place, of: folder, identity) {
                case .ours, .missing(wasGiven: false): continue
                case .missing(wasGiven: true):
                    return bad(
                        "mounts",
                        "\(place.path) has no mark of this ledger: mount its disk; is it the right folder, copy \(folder.identity.path) into it"
                    )
                case .of(let origin):
                    return bad(
                        "mounts",
                        "\(place.path) is of the ledger \(origin): mount the disk of this one"
                    )
                case .unreadable(let reason):
                    return bad("mounts", "\(place.path) cannot be looked into: \(reason)")
                }
            }
            return good("mounts", "the folders of recordings and pictures are this ledger's")
        } catch {
            return bad("mounts", "\(error)")
        }
    }

    private func videoRoom() -> Finding {
        let media =
            FileManager.default.fileExists(atPath: folder.media.path) ? folder.media : folder.root
        let free: Int64
        do throws(DiskRoom.Unknown) {
            free = try DiskRoom.bytesOfFiles(below: media.path)
        } catch {
            return bad("video", "\(error); no video is taken: look at the disk")
        }
        let floor = Int64(clamping: configuration.mediaReserveBytes)
        guard free < floor else {
            return good("video", "\(free >> 20) MiB are free for recordings")
        }
        return doubtful(
            "video",
            "\(DiskRoom.words(free)) where recordings lie; below \(floor >> 20) no video is taken: make room, or lower --media-reserve"
        )
    }

    /// Really writes and syncs, for a promise stands on it.
    private func sync() -> Finding {
        let path = folder.root.appending(path: ".doctor-\(getpid())").path
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            return bad("sync", "nothing can be written: \(String(cString: strerror(errno)))")
        }
        defer {
            close(descriptor)
            unlink(path)
        }
        let begin = ContinuousClock.now
        let block = [UInt8](repeating: 0xDB, count: 4096)
        guard write(descriptor, block, block.count) == block.count, fsync(descriptor) == 0 else {
            return bad("sync", "a block was not synced: \(String(cString: strerror(errno)))")
        }
        let took = (ContinuousClock.now - begin) / .milliseconds(1)
        let fact = "4 KiB written and synced in \((took * 10).rounded() / 10) ms"
        guard took < Self.syncMillisecondsMax else {
            return doubtful("sync", "\(fact): each command waits as long; use a faster disk")
        }
        return good("sync", fact)
    }

    /// A sync that takes longer is felt in every command.
    private static let syncMillisecondsMax = 100.0

    /// The log is mapped into memory, with room to grow.
    private func map() -> Finding {
        let file = folder.root.appending(path: "log/data.mdb").path
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
            limit.rlim_cur != rlim_t.max
        else {
            let bytes = (Self.size(of: file) ?? 0) >> 20
            return good("map", "the log takes \(bytes) MiB; address space is not limited")
        }
        return bad(
            "map",
            "address space is limited to \(limit.rlim_cur >> 20) MiB, the log maps 256 GiB: ulimit -v unlimited, or LimitAS=infinity"
        )
    }

    private static func size(of path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    private func descriptors() -> Finding {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return doubtful("descriptors", "the limit cannot be asked")
        }
        let connections = configuration.limits.connections
        let needed = connections.inAll + connections.reservedDescriptors
        guard limit.rlim_max >= rlim_t(needed) else {
            return bad(
                "descriptors",
                "at most \(limit.rlim_max) may be open, \(needed) serve \(connections.inAll) connections: raise LimitNOFILE or ulimit -Hn"
            )
        }
        return good("descriptors", "up to \(limit.rlim_max) may be open")
    }

    private func sandbox() -> Finding {
        Sandbox.isAvailable
            ? good("sandbox", "video is decoded under a seccomp filter")
            : doubtful(
                "sandbox",
                "this machine has no seccomp filters: video is decoded with limits alone; use Linux on x86_64 or aarch64"
            )
    }

    private func certificateExpiry() -> Finding {
        guard let certificate = configuration.tls?.certificateChain else {
            return good("certificate", "none: plain HTTP, on this machine or behind a proxy")
        }
        guard let expiry = CertificateFile(path: certificate).expiry else {
            return bad("certificate", "\(certificate) is no certificate that can be read")
        }
        let days = Int(expiry.timeIntervalSinceNow / 86_400)
        switch days {
        case ..<0: return bad("certificate", "it expired \(-days) days ago: renew it")
        case ..<14: return doubtful("certificate", "it expires in \(days) days: renew it")
        default: return good("certificate", "it expires in \(days) days")
        }
    }

    private func fileSystem() -> Finding {
        finding(
            "file system",
            Surroundings.fileSystemFault(of: [folder.root, folder.media, folder.blobs]),
            "what is written lasts"
        )
    }

    private func journals() -> Finding {
        finding("journals", Surroundings.journalFault(in: folder), "none has grown")
    }

    private func pushContact() -> Finding {
        let contact = configuration.push.contact
        return finding(
            "push contact",
            contact.flatMap { Surroundings.contactFault($0) },
            contact
                ?? "the ledger's name; unless that is a site on the internet, iPhones hear nothing: give --push-contact"
        )
    }

    private func finding(_ what: String, _ fault: Fault?, _ detail: String) -> Finding {
        fault.map { doubtful(what, $0.words) } ?? good(what, detail)
    }

    private func service() -> Finding {
        isServed
            ? good("service", "a gateway serves it")
            : good("service", "nobody serves it; the console may work on it")
    }

    private func readModels() -> Finding {
        do {
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.readModels.path)
            if let journal = files.first(where: { $0.hasSuffix(".sqlite-journal") && !isServed }),
                !journal.contains(".building."), !journal.contains(".ahead.")
            {
                return doubtful(
                    "read models",
                    "\(journal) is not ours: the next start builds that read model anew; find out who put it there"
                )
            }
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
            let shelf = try MapShelf(configuration)
            if let fault = shelf.fault { return doubtful("maps", fault.words) }
            guard !shelf.sets.isEmpty else {
                return good("maps", "none, pages show a grid of degrees; make basemap makes one")
            }
            return good("maps", shelf.sets.map(\.path).joined(separator: ", "))
        } catch {
            return bad("maps", "\(error)")
        }
    }

    /// Without pages a gateway serves programs alone, which somebody may want.
    private func pages() -> Finding {
        guard let folder = configuration.pages ?? PageFolder.standard() else {
            return doubtful(
                "pages",
                "none: neither /console nor /call opens; name their folder with --web"
            )
        }
        do {
            let pages = try PageFolder(at: folder)
            return good("pages", "\(pages.files.count) files of \(folder.path)")
        } catch {
            return bad("pages", "\(error)")
        }
    }

    /// What callers are told to dial, for somebody to read it before they do.
    private func site() -> Finding {
        let site = configuration.site
        let country = site.country.map { "numbers of \($0.uppercased())" }
        return good(
            "site",
            "pages tell callers to dial \(site.emergencyNumber)\(site.emergencySMS.map { ", or text \($0)" } ?? ""); \(country ?? "numbers need their country code, no --country is set"); times of \(site.zone.identifier)"
        )
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

    func good(_ what: String, _ detail: String) -> Finding {
        Finding(what: what, level: .ok, detail: detail)
    }

    func doubtful(_ what: String, _ detail: String) -> Finding {
        Finding(what: what, level: .warn, detail: detail)
    }

    func bad(_ what: String, _ detail: String) -> Finding {
        Finding(what: what, level: .fail, detail: detail)
    }
}
