// SPDX-License-Identifier: Apache-2.0

/// Why a gateway did not start; each message says what to do.
public enum StartError: Error, Hashable, Sendable {
    /// A file or folder cannot be used.
    case folder(String, reason: String)
    /// This process may not use what is there; whose it is and who we are, by number.
    case notPermitted(String, owner: Int?, user: Int)
    /// Root would serve what belongs to another, who could not use what root makes there; whose it is, by number.
    case servedByRoot(String, owner: Int, group: Int)
    /// The file of accounts is damaged, or not as this program makes it.
    case accountsUnusable(String, reason: String)
    /// The file of accounts cannot be read or written just now, and nothing speaks against the file itself.
    case accountsOutOfReach(String, reason: String)
    /// A change that a start makes of the accounts is one that their tables do not take.
    case accountsContradictory(String, reason: String)
    /// The rows of the accounts carry no codes: an earlier program wrote them, or somebody who has no key.
    case accountsUncoded(String)
    /// The rows of the accounts carry no codes, and had some by the log.
    case accountsSealed(String, since: String?)
    /// Nobody knows whether the rows of the accounts had codes, for the log is in doubt.
    case adoptionDoubted(String)
    /// Every row of the accounts carries a code, or there is none.
    case nothingToAdopt(String)
    /// Another program holds the accounts.
    case accountsLocked(String)
    /// Another process serves the folder, or changes it at the console.
    case served(String)
    /// There is no room for a file.
    case noRoom(String)
    /// `daybook.json` is not what this program writes.
    case identityUnreadable(String)
    /// The folder is another ledger than asked for.
    case otherOrigin(found: String, asked: String)
    /// The name cannot be an origin.
    case originUnusable(String)
    /// `origin.key` is missing or does not open with this master key.
    case originKeyUnusable(String)
    /// A new origin was asked for, and nothing speaks against the one that the ledger has.
    case originWhole(String)
    /// `push.key` does not open with this master key.
    case pushKeyUnusable(String)
    /// Push services want to know whom to turn to.
    case pushContactUnusable(String)
    /// The master key must not lie in the folder that it protects.
    case masterKeyInside(String)
    /// The certificate and its key cannot be used together.
    case certificateUnusable(String, key: String, reason: String)
    /// `/metrics` would be where everybody comes.
    case sameAddress(String)
    /// Texts by telephone were to come by TLS, and there is no certificate.
    case telephonyWithoutCertificate
    /// Plain HTTP would leave this machine.
    case plainHTTPBeyondLoopback(host: String)
    /// A ledger that was not made as a demo was to be one.
    case noDemo(String)
    /// A demo would be reached from elsewhere.
    case demoBeyondLoopback(host: String)
    /// A trusted proxy is no address.
    case proxyUnusable(String)
    /// A network of cameras is none.
    case cameraNetworkUnusable(String)
    /// The time zone is not known here.
    case timeZoneUnknown(String)
    /// A setting of the site says nothing that a page could use.
    case siteUnusable(String, String, remedy: String)
    /// The folder of web pages cannot be used.
    case pagesUnusable(String, reason: String)
    /// Nobody can be listened to there.
    case cannotListen(String, reason: String)
    /// A folder without a ledger has what only a ledger leaves.
    case remnants(String, names: [String])
    /// A master key is there, and the folder, or the place of it, has no ledger.
    case noLedgerYet(String, masterKey: String)
    /// A new ledger would take no event.
    case tooLittleRoom(String, mebibytes: Int64, needed: Int)
    /// The file of people's keys is not the one that the log's events were sealed with.
    case keysLost(String, reason: String)
    /// The system lets this process have too few files and connections.
    case tooFewDescriptors(allowed: Int, needed: Int)
}

extension StartError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .folder(let path, let reason):
            "cannot use \(path): \(reason)"
        case .notPermitted(let path, let owner?, let user) where owner == user:
            "user \(user), who owns \(path), may not use it; nothing is lost: let the owner read and write it again (chmod u+rwX \(path))"
        case .notPermitted(let path, let owner, let user):
            "user \(user) may not use \(path)\(owner.map { ", which belongs to user \($0)" } ?? ""); nothing is lost: run daybook as the owner of the ledger's folder, or give it to that owner again (chown --reference=DIR PATH)"
        case .servedByRoot(let path, let owner, let group):
            "refusing to serve as root: \(path) belongs to user \(owner), who could not use what root makes there; start it as that user: its service, or by hand setpriv --reuid=\(owner) --regid=\(group) --clear-groups daybook serve. Is root to serve it from now on: chown -R root: \(path)"
        case .accountsUnusable(let path, let reason):
            "\(path) cannot be used (\(reason)), so nobody could sign in: restore it from a backup, with nothing of the same name ending in -wal, -shm or -journal beside it; without a backup move it away, and the next start tells a new password for admin, who makes the other accounts anew"
        case .accountsOutOfReach(let path, let reason):
            "\(path) cannot be read or written now (\(reason)): nothing is lost, and the file stays where it is; look at its disk, its room and who mounted it, then start again"
        case .accountsContradictory(let path, let reason):
            "\(path) does not take what a start changes in it (\(reason)): nothing was changed; daybook verify says what somebody wrote there; restore it from a backup, with nothing of the same name ending in -wal, -shm or -journal beside it"
        case .accountsUncoded(let path):
            "the rows of \(path) carry no codes, as this program writes them: if an earlier program of Daybook wrote it, and nobody else could, daybook serve --adopt-accounts believes it, once; otherwise restore it from a backup"
        case .accountsSealed(let path, let since):
            "the rows of \(path) carry no codes, and the log says that they do\(since.map { " since \($0)" } ?? ""): somebody put an earlier file there, or took them away, and no start believes it; restore it from a backup of later, or move it away: the next start makes the accounts anew"
        case .adoptionDoubted(let path):
            "no accounts were adopted from \(path): the log opens for reading only, and may lack that their rows had codes; settle that first: daybook verify says why"
        case .nothingToAdopt(let path):
            "no accounts were adopted: the rows of \(path) carry their codes since more than a day, or there are none; leave --adopt-accounts away"
        case .accountsLocked(let path):
            "\(path) is in use by another program: end that, and start again"
        case .served(let path):
            "\(path) is in use: another process serves it, or changes it at the console, and one at a time does; nothing is wrong with the ledger. Use that one, or end it, and start again"
        case .noRoom(let path):
            "no room for \(path): nothing is lost; make room, then repeat"
        case .identityUnreadable(let path):
            "\(path) cannot be read as {origin, vkey}; restore it from a backup"
        case .otherOrigin(let found, let asked):
            "the folder is the ledger \(found), not \(asked); leave --origin away, or take another folder"
        case .originUnusable(let origin):
            "\(origin) cannot be an origin; use a name such as daybook.example.org/main"
        case .originKeyUnusable(let path):
            "\(path) is missing or does not open with this master key; use the master key with which the ledger was made, restore the file from a backup, or begin a new origin with daybook serve --new-origin"
        case .originWhole(let path):
            "no new origin was begun: nothing speaks against the ledger in \(path) as it is; leave --new-origin away"
        case .pushKeyUnusable(let path):
            "\(path) does not open with this master key; use the one with which the ledger was made, or remove the file: phones then have to ask for pushes again"
        case .pushContactUnusable(let text):
            "\(text) is no contact for push services; give mailto:somebody@example.org or an https URL"
        case .masterKeyInside(let path):
            "the master key \(path) lies in the folder that it protects; keep it elsewhere"
        case .plainHTTPBeyondLoopback(let host):
            "refusing to serve plain HTTP on \(host); give a certificate and a key, or say that a proxy in front does TLS (--behind-proxy)"
        case .noDemo(let path):
            "cannot serve \(path) as a demo: it was made without --demo, and a ledger never becomes one; leave --demo away, or let daybook serve --demo make another in a folder of its own (--data)"
        case .demoBeyondLoopback(let host):
            "refusing to serve a demo on \(host): in a demo whoever reaches the gateway signs in as anybody; listen on this machine alone (--listen 127.0.0.1:8080), without --behind-proxy and --trusted-proxy"
        case .certificateUnusable(let chain, let key, let reason):
            "the certificate \(chain) and the key \(key) cannot be used: \(reason); give the PEM files of a chain, leaf first, and of its own key (--tls-certificate, --tls-key)"
        case .sameAddress(let address):
            "--listen and --metrics are both \(address); give the numbers a port of their own"
        case .telephonyWithoutCertificate:
            "--sip-tls needs a certificate: give --tls-certificate and --tls-key, too"
        case .proxyUnusable(let text):
            "\(text) is no address of a proxy; write 10.0.0.7, 10.0.0.0/8 or 2001:db8::/32"
        case .cameraNetworkUnusable(let text):
            "\(text) is no network of cameras; write 10.0.0.0/8, 192.168.7.20 or fd00::/8"
        case .timeZoneUnknown(let name):
            "there is no time zone \(name); use a name such as Europe/London"
        case .siteUnusable(let option, let text, let remedy):
            "\(option) cannot be \(text): \(remedy)"
        case .pagesUnusable(let path, let reason):
            "cannot serve the web pages of \(path): \(reason); name their folder with --web"
        case .cannotListen(let address, let reason):
            "cannot listen on \(address): \(reason); end whoever listens there, or name another port (--listen, --metrics)"
        case .tooLittleRoom(let path, let mebibytes, let needed):
            "no ledger was made in \(path): \(mebibytes) MiB are free, and below \(needed) the log takes little but closings; make room, then repeat"
        case .remnants(let path, let names):
            "no ledger was made in \(path): there was one, of which \(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") left, and its log and daybook.json are gone; mount their disk, or restore them from a backup. With the log alone, daybook serve --new-origin goes on; another ledger begins in another folder"
        case .noLedgerYet(let path, let masterKey):
            "there is no ledger in \(path), and a master key is there (\(masterKey)), so there may be one on a disk that is not mounted: mount it, or name the right folder (--data). Is this the first start of a new ledger, say so once: daybook serve --first, or DAYBOOK_FIRST=yes"
        case .keysLost(let path, let reason):
            "\(path) \(reason): refusing to serve, for what is said from now on could not be read beside the right file; put that back, from a backup. Is it lost for good, so is what was sealed: daybook export, daybook import into another folder, and daybook serve --new-origin go on with the rest"
        case .tooFewDescriptors(let allowed, let needed):
            "refusing to start with \(allowed) file descriptors where \(needed) are needed, for connections and what is kept for log and archive; raise the hard limit (LimitNOFILE=\(needed), or ulimit -Hn \(needed))"
        }
    }
}
