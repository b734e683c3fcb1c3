// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Media
import NIOCore
import Projections
import Synchronization

/// The routes by which cameras are set up, listed and tried.
struct CameraRoutes: Sendable {
    let ledger: Ledger
    let answers: FootageAnswers

    var routes: [Route] {
        let sites = SiteRoutes(ledger: ledger).routes
        let footage = FootageRoutes(ledger: ledger, answers: answers).routes
        return [
            Route(.get, "/v1/cameras", for: CameraSight.staff, list),
            Route(.put, "/v1/cameras/:id", for: .managers, set),
            Route(.post, "/v1/cameras/:id/try", for: .managers, attempt),
        ] + footage + sites
    }

    // MARK: - Listing

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let reader = try context.signedIn()
        try await ledger.awaitLevel(request, of: CameraService.name)
        let near = try Near(request)
        let cameras = try await ledger.cameras(of: request.text("site"), in: reader.scope)
        let sight = CameraSight(ledger)
        let manages = Askers.managers.roles?.contains(reader.role) ?? false
        let items = cameras.compactMap { camera -> CameraBody? in
            guard let settings = camera.settings else { return nil }
            let mayLook = sight.mayLook(reader, at: camera)
            guard mayLook || manages || settings.viewers.contains(where: { $0.role == reader.role })
            else { return nil }
            let metres = near?.metres(to: settings)
            guard metres.map({ $0 <= near?.most ?? 0 }) ?? true else { return nil }
            return CameraBody(
                camera,
                settings,
                mayLook: mayLook,
                metres: metres,
                showsSettings: manages
            )
        }
        return try .json(PageBody(items: items.sorted { ($0.metres ?? 0) < ($1.metres ?? 0) }))
    }

    /// A place around which cameras are wanted.
    private struct Near {
        let place: Fix
        let most: Double

        init?(_ request: Request) throws(Problem) {
            guard let text = request.text("near") else { return nil }
            let numbers = text.split(separator: ",").compactMap { Double($0) }
            let place = Fix(latitude: numbers.first ?? 999, longitude: numbers.last ?? 999)
            guard numbers.count == 2, place.isPlausible else {
                throw Problem(
                    .malformedRequest,
                    detail: "near is a latitude and a longitude in degrees, such as 52.5163,13.3777"
                )
            }
            self.place = place
            most = Double(try request.number("metres", default: 200, in: 1...100_000))
        }

        func metres(to settings: CameraSettings) -> Double {
            place.metres(to: Fix(latitude: settings.latitude, longitude: settings.longitude))
        }
    }

    // MARK: - Setting up

    private struct CameraRequest: Decodable {
        let site: String
        let number: Int
        let name: String
        let floor: Int
        let latitude: Double
        let longitude: Double
        let source: CameraSettings.Source
        let address: String?
        let user: String?
        /// Absent keeps the one that is there; empty removes it.
        let password: String?
        let width: Int
        let height: Int
        let framesPerSecond: Int
        let kilobitsPerSecond: Int
        let keptDays: Int
        let keptBytes: Int
        let frame: CameraSettings.Frame
        let neighbours: CameraSettings.Neighbours
        let notice: String?
        let animation: String?
        let viewers: [CameraSettings.Viewers]
        let isOn: Bool
    }

    private func set(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let camera: CameraID = try context.id()
        let command = try await ledger.command(request, context)
        let body: CameraRequest = try command.decoded()
        try checkNetwork(body.address)
        let scope = command.asker.principal.scope
        for other in try await ledger.cameras(of: body.site, in: scope) where other.id != camera {
            guard other.settings?.number != body.number else {
                throw Problem(
                    .malformedRequest,
                    detail:
                        "number \(body.number) of the site is \(other.settings?.name ?? "another camera"): take another"
                )
            }
        }
        let known = try await ledger.handler.settled(Camera.self, camera).settings
        let settings = CameraSettings(
            site: body.site,
            number: body.number,
            name: body.name,
            floor: body.floor,
            latitude: body.latitude,
            longitude: body.longitude,
            source: body.source,
            address: body.address,
            user: body.user,
            secret: try secret(body.password, known),
            width: body.width,
            height: body.height,
            framesPerSecond: body.framesPerSecond,
            kilobitsPerSecond: body.kilobitsPerSecond,
            keptDays: body.keptDays,
            keptBytes: body.keptBytes,
            frame: body.frame,
            neighbours: body.neighbours,
            notice: body.notice,
            animation: body.animation,
            viewers: body.viewers,
            isOn: body.isOn
        )
        return try await ledger.answer(SetCamera(camera, to: settings), command)
    }

    private func secret(_ password: String?, _ known: CameraSettings?) throws -> String? {
        guard let password else { return known?.secret }
        guard !password.isEmpty else { return nil }
        guard password.utf8.count <= 256, password.allSatisfy({ !$0.isNewline }) else {
            throw Problem(
                .malformedRequest,
                detail: "a password has at most 256 bytes, in one line"
            )
        }
        if let old = known?.secret, ledger.deliverySecrets.password(old) == password { return old }
        guard let secret = ledger.deliverySecrets.encrypted(password) else {
            throw Problem(.unavailable, detail: "the password could not be encrypted; try again")
        }
        return secret
    }

    /// The gateway connects only to where the site says that cameras are.
    private func checkNetwork(_ address: String?) throws {
        guard let address else { return }
        let host = URLComponents(string: address)?.host ?? ""
        let networks = ledger.configuration.cameras.networks
        guard let network = NetworkAddress(host),
            networks.contains(where: { $0.contains(network) })
        else {
            throw Problem(
                .malformedRequest,
                detail:
                    "address names a camera by an IP address in the networks of cameras (--camera-networks)"
            )
        }
    }

    // MARK: - Trying

    /// Reads the camera until its first second is there, and shows a picture of that.
    private func attempt(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id: CameraID = try context.id()
        let asker = try context.signedIn()
        try ledger.rights.requireThere(.camera(id), for: asker)
        guard let settings = try await ledger.handler.settled(Camera.self, id).settings,
            settings.address != nil
        else {
            throw Problem(.malformedRequest, detail: "the camera has no address yet; set it first")
        }
        guard let stills = answers.stills else {
            throw Problem(.unavailable, detail: "this gateway runs without an inspection process")
        }
        let password = settings.secret.flatMap { ledger.deliverySecrets.password($0) }
        let trial = CameraTrial(
            program: answers.parts.program,
            thread: answers.parts.readers.take()
        )
        let jpeg = try await trial.picture(of: .init(settings: settings, password: password)) {
            try await stills.still(atMilliseconds: 0, in: $0, of: $1, for: asker.holder)
        }
        return .jpeg(jpeg)
    }
}

/// A camera as lists show it.
private struct CameraBody: Encodable {
    let id: CameraID
    let site: String
    let number: Int
    let name: String
    let floor: Int
    let latitude: Double
    let longitude: Double
    let width: Int
    let height: Int
    let framesPerSecond: Int
    let frame: CameraSettings.Frame
    let neighbours: CameraSettings.Neighbours
    let notice: String?
    let animation: String?
    let isOn: Bool
    let standing: String
    let cause: CameraStandingChanged.Cause?
    let since: Timestamp?
    let mayLook: Bool
    let metres: Double?
    let settings: SettingsBody?

    init(
        _ camera: Camera,
        _ settings: CameraSettings,
        mayLook: Bool,
        metres: Double?,
        showsSettings: Bool
    ) {
        id = camera.id
        site = settings.site
        number = settings.number
        name = settings.name
        floor = settings.floor
        latitude = settings.latitude
        longitude = settings.longitude
        width = settings.width
        height = settings.height
        framesPerSecond = settings.framesPerSecond
        frame = settings.frame
        neighbours = settings.neighbours
        notice = settings.notice
        animation = settings.animation
        isOn = settings.isOn
        standing = camera.standing?.standing.rawValue ?? "unknown"
        cause = camera.standing?.cause
        since = camera.standingSince
        self.mayLook = mayLook
        self.metres = metres
        self.settings = showsSettings ? SettingsBody(settings) : nil
    }

    /// What who manage cameras see besides; never the password.
    struct SettingsBody: Encodable {
        let source: CameraSettings.Source
        let address: String?
        let user: String?
        let hasPassword: Bool
        let kilobitsPerSecond: Int
        let keptDays: Int
        let keptBytes: Int
        let viewers: [CameraSettings.Viewers]

        init(_ settings: CameraSettings) {
            source = settings.source
            address = settings.address
            user = settings.user
            hasPassword = settings.secret != nil
            kilobitsPerSecond = settings.kilobitsPerSecond
            keptDays = settings.keptDays
            keptBytes = settings.keptBytes
            viewers = settings.viewers
        }
    }
}

/// Who may look at a camera: nobody but the roles that its settings name, at their hours.
struct CameraSight: Sendable {
    /// Who work with cameras at all.
    static let staff: Askers = [
        .guard, .operator, .supervisor, .analyst, .auditor, .organisationAdmin, .admin,
    ]

    private let ledger: Ledger

    init(_ ledger: Ledger) {
        self.ledger = ledger
    }

    func mayLook(_ reader: Principal, at camera: Camera) -> Bool {
        guard let settings = camera.settings, camera.organisation == reader.organisation else {
            return false
        }
        let seconds = Double(ledger.now.microseconds) / 1_000_000
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = ledger.configuration.timeZone
        let time = calendar.dateComponents(
            [.hour, .minute],
            from: Date(timeIntervalSince1970: seconds)
        )
        let minute = (time.hour ?? 0) * 60 + (time.minute ?? 0)
        return settings.viewers.contains {
            $0.role == reader.role && $0.isOpen(atMinute: minute)
        }
    }

    /// The camera, for somebody who may look at it now.
    ///
    /// - Throws: 404 for another organisation's, 403 for whom its settings do not name now.
    func check(_ id: CameraID, for reader: Principal) async throws -> Camera {
        let camera = try await ledger.handler.settled(Camera.self, id)
        guard camera.settings != nil, camera.organisation == reader.organisation else {
            throw Problem(.notFound, detail: "there is no such camera")
        }
        guard mayLook(reader, at: camera) else {
            throw Problem(
                .forbidden,
                detail:
                    "the camera is not for this role at this hour; its administrator says for whom it is"
            )
        }
        return camera
    }
}

extension Ledger {
    /// The cameras of an organisation, by site, floor and number.
    func cameras(of site: String? = nil, in scope: Scope) async throws -> [Camera] {
        var found: [Camera] = []
        for id in try await readModels.cameras.cameras(of: site, in: scope) {
            found.append(try await handler.settled(Camera.self, id))
        }
        return found
    }
}

extension Response {
    /// A picture.
    static func jpeg(_ bytes: [UInt8]) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "image/jpeg", .cacheControl: "private, no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
