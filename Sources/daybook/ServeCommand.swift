// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Gateway
import Logging

/// Serves a ledger: HTTP, WebSockets, policies and read models.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a ledger; the first start makes its folder, keys and an admin.",
        discussion: """
            Every option is also an environment variable, --listen is DAYBOOK_LISTEN, and a line of the file that \
            --config names: listen = 127.0.0.1:8080. The option comes before the variable, the variable before the file. \
            Those of one start stand on its command line: --new-origin, --adopt-accounts, --first, --carry-out-erasures. \
            Ends on SIGTERM or SIGINT, when everything that was acknowledged is on disk.
            """
    )

    @Option(help: "A file with settings, a line name = value each.", completion: .file())
    var config: String?

    @Option(help: "The ledger's folder.", completion: .directory)
    var data: String?

    @Option(
        help: "Where to listen, HOST:PORT; port 0 lets the system choose. (default: 127.0.0.1:8080)"
    )
    var listen: String?

    @Option(help: "The ledger's name, fixed on the first start: daybook.example.org/main.")
    var origin: String?

    @Flag(
        help:
            "Make a ledger to try Daybook with: on its page /demo whoever comes signs in as anybody, without a password. Only for a new ledger, and only on this machine."
    )
    var demo = false

    @Flag(
        help:
            "Begin to sign with a new key in a ledger that can no longer be proved: after an import, or a restore that lacks the end."
    )
    var newOrigin = false

    @Flag(
        help:
            "Believe the accounts that an earlier program wrote, whose rows carry no codes; once, and only if nobody else could write them."
    )
    var adoptAccounts = false

    @Flag(
        help:
            "Make a ledger although its master key is there already; without it that may be a disk that is not mounted. Also DAYBOOK_FIRST=yes."
    )
    var first = false

    @Flag(
        help:
            "Carry out erasures that stood in the log when a new origin began, and for which nobody vouches: it lists them."
    )
    var carryOutErasures = false

    @Option(
        help:
            "The file with the master key, outside the folder; made on the first start. (default: DIR.master-key)",
        completion: .file()
    )
    var masterKey: String?

    @Option(help: "The PEM file of the certificate chain.", completion: .file())
    var tlsCertificate: String?

    @Option(help: "The PEM file of its key.", completion: .file())
    var tlsKey: String?

    @Flag(help: "A proxy in front does TLS: plain HTTP may leave this machine.")
    var behindProxy = false

    @Option(
        help:
            "A proxy that is believed about whom it brings: ADDRESS or ADDRESS/BITS; may be given again."
    )
    var trustedProxy: [String] = []

    @Option(
        help:
            "The header that this proxy writes, x-forwarded-for or forwarded; the other is the client's own word. (default: x-forwarded-for)"
    )
    var proxyHeader: String?

    @Option(
        help:
            "The site's time zone, in which recordings are named and pages tell times. (default: UTC for names, this machine's on pages)"
    )
    var timeZone: String?

    @Option(
        help:
            "Where people reach the pages; links in messages begin with it. (default: https://ORIGIN)"
    )
    var publicAddress: String?

    @Flag(
        help:
            "Let the CAP feed for other centres have call-outs about callers, and the words of who called."
    )
    var shareDistress = false

    @Flag(help: "Put a citizen's alert into the operators' queue, as well as telling the contacts.")
    var answerCitizens = false

    @Option(help: "What the centre is called on its pages. (default: their own words)")
    var siteName: String?

    @Option(help: "What pages tell callers to dial, digits alone. (default: 112)")
    var emergencyNumber: String?

    @Option(help: "Where that takes text messages, digits alone. (default: nowhere)")
    var emergencySMS: String?

    @Option(
        help:
            "The country, ISO 3166, such as GB, whose national numbers people may write. (default: none, numbers need their country code)"
    )
    var country: String?

    @Option(help: "Seconds in which something must start in a session. (default: 120)")
    var startLimit: String?

    @Option(
        help:
            "When callers may show video: asked, once an operator took their wish or they wrote, or anytime. (default: asked)"
    )
    var callerVideo: String?

    @Option(
        help:
            "How many sessions an operator may have open while all are text alone, 1 to 16. (default: as set before, or 1)"
    )
    var textSessions: String?

    @Option(
        help:
            "Seconds for which each operator in turn is asked to take a text that waits; 0 leaves it in the queue. (default: 0)"
    )
    var assignTexts: String?

    @Option(help: "Whom push services turn to: mailto:… or https:… (default: https://ORIGIN)")
    var pushContact: String?

    @Option(
        help:
            "The PEM file of who certifies push services. (default: whom this machine trusts)",
        completion: .file()
    )
    var pushRoots: String?

    @Option(
        help:
            "Where push services may be: internet, site (private networks, too) or machine (this one, too). (default: internet)"
    )
    var pushReach: String?

    @Option(
        help:
            "The folder of the web pages. (default: web beside the program, or in its source tree)",
        completion: .directory
    )
    var web: String?

    @Flag(help: "Read the web pages anew for each answer, for whoever works on them.")
    var webReload = false

    @Option(
        help:
            "A set of tiles, an MBTiles file, drawn over those before it; may be given again. (default: world.mbtiles beside the program, and maps/ in the ledger's folder)",
        completion: .file(extensions: ["mbtiles"])
    )
    var map: [String] = []

    @Option(
        help:
            "A folder with files of others that pages use, such as leaflet/leaflet.esm.min.js, before those of Debian packages.",
        completion: .directory
    )
    var assets: String?

    @Option(
        help:
            "Where to show the numbers for Prometheus, HOST:PORT, without a token: not for the public. (default: nowhere)"
    )
    var metrics: String?

    @Option(
        help:
            "Where to take texts by telephone (SIP), HOST:PORT, by UDP and TCP. (default: nowhere)"
    )
    var sip: String?

    @Option(
        name: .customLong("sip-tls"),
        help: "Where to take them by TLS, HOST:PORT, with the gateway's certificate."
    )
    var sipTLS: String?

    @Option(
        help:
            "Networks in which cameras may be, ADDRESS/BITS, with commas between. (default: the private ones)"
    )
    var cameraNetworks: String?

    @Option(
        help:
            "A folder of recordings besides media in the ledger's folder, added for good; may be given again. daybook volume lists, drains and removes them.",
        completion: .directory
    )
    var media: [String] = []

    @Option(help: "Mebibytes that video leaves free on each of its disks. (default: 4096)")
    var mediaReserve: String?

    @Option(
        help:
            "What guessing new passwords costs: the base-2 logarithm of scrypt's N, 12 to 20; 15 takes 32 MiB a check. (default: 15)"
    )
    var passwordCost: String?

    @Option(
        help:
            "Seconds that a query waits until it shows what was written before it, 1 to 60; more on a slow machine. (default: 5)"
    )
    var readWait: String?

    @Option(
        help:
            "What to write to standard error: debug, info, warning, error. (default: info; warning on a terminal)"
    )
    var logLevel: String?

    @Option(
        help: "How to write it: json, a line each, or text. (default: json; text on a terminal)"
    )
    var logFormat: String?

    func run() async throws {
        CrashSignals.endAtOnce()
        let settings = try Settings(file: config)
        let configuration = try configuration(settings)
        let log = try log(settings)
        GatewayLog.begin(level: log.level, format: log.format)
        defer { GatewayLog.end() }
        let logger = Logger(label: "daybook")
        try await Gateway.run(configuration, logger: logger) { Self.tell($0) }
    }

    private static func tell(_ announcement: Gateway.Announcement) {
        switch announcement {
        case .firstAdmin(let login, let password):
            print("The first account. Sign in as \(login) with the temporary password \(password)")
            print("at /admin, and choose another there. It cannot be shown again.")
        case .newOrigin(let begun):
            print("A new origin: another key signs from now on; it found \(begun) events,")
            print("for which it does not vouch. daybook verify says so, for good.")
        case .unvouchedErasures(let erasures):
            print("Not carried out, for nobody vouches for what stood here before the new origin:")
            for erasure in erasures { print("  the erasure of \(erasure)") }
            print(
                "Find out who recorded them. Are all of them right: daybook serve --carry-out-erasures."
            )
        case .readOnly(let reason):
            Terminal.note("READ-ONLY: nothing is appended or signed. \(reason)")
        case .listening(let url, _):
            print("daybook serves \(url)")
        case .demo(let url):
            print("This ledger is a demo: whoever opens \(url) signs in as anybody.")
        case .telephony(let urls):
            for url in urls { print("daybook takes texts by telephone at \(url)") }
        case .metrics(let url):
            print("daybook shows its numbers at \(url)")
        }
        // Whoever reads through a pipe must learn the address now.
        fflush(nil)
    }
}
