// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Projections

/// The plan of a site's cameras as source 3 has it: `cams.json`, out and in.
struct SiteRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/sites", for: CameraSight.staff, list),
            Route(.get, "/v1/sites/:site/cams.json", for: CameraSight.staff, plan),
            Route(.put, "/v1/sites/:site/cams.json", for: .managers, read),
        ]
    }

    private struct SiteBody: Encodable {
        let site: String
        let cameras: Int
        let floors: [Int]
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await ledger.awaitLevel(request, of: CameraService.name)
        let cameras = try await ledger.cameras(in: try context.signedIn().scope)
        let sites = Dictionary(grouping: cameras.compactMap(\.settings), by: \.site)
        let items = sites.map { site, cameras in
            SiteBody(site: site, cameras: cameras.count, floors: Set(cameras.map(\.floor)).sorted())
        }
        return try .json(PageBody(items: items.sorted { $0.site < $1.site }))
    }

    private func site(_ context: GatewayContext) throws -> String {
        guard let site = context.parameters.get("site")?.removingPercentEncoding, !site.isEmpty
        else {
            throw Problem(.malformedRequest, detail: "a site has a name")
        }
        return site
    }

    private func plan(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await ledger.awaitLevel(request, of: CameraService.name)
        let cameras = try await ledger.cameras(
            of: site(context),
            in: try context.signedIn().scope
        )
        let cams = cameras.compactMap(\.settings).map(SitePlan.Cam.init)
        return try .json(SitePlan(count: cams.count, cams: cams))
    }

    private struct ReadBody: Encodable {
        let changed: Int
        let made: Int
    }

    private func read(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let site = try site(context)
        let command = try await ledger.command(request, context)
        let plan: SitePlan = try command.decoded()
        guard plan.count == plan.cams.count else {
            throw Problem(
                .malformedRequest,
                detail: "Number_of_cams is \(plan.count), and there are \(plan.cams.count)"
            )
        }
        guard Set(plan.cams.map(\.id)).count == plan.cams.count else {
            throw Problem(.malformedRequest, detail: "a Cam_id stands there twice")
        }
        let principal = command.asker.principal
        var known: [Int: Camera] = [:]
        for camera in try await ledger.cameras(of: site, in: principal.scope) {
            if let number = camera.settings?.number { known[number] = camera }
        }
        // All are read before any is changed.
        let changes = try plan.cams.map { cam in
            (known[cam.id]?.id, try cam.settings(in: site, known[cam.id]?.settings))
        }
        for (camera, settings) in changes {
            _ = try await ledger.handler.handle(
                SetCamera(camera ?? ledger.newID(), to: settings),
                ledger.context(actor: principal.ledgerActor, organisation: principal.organisation)
            )
        }
        return try .json(
            ReadBody(
                changed: changes.count { $0.0 != nil },
                made: changes.count { $0.0 == nil }
            )
        )
    }
}

/// The file of source 3 (4.3.1), with `Cam_farme_size` as it is spelt there.
private struct SitePlan: Codable {
    let count: Int
    let cams: [Cam]

    private enum CodingKeys: String, CodingKey {
        case count = "Number_of_cams"
        case cams = "Cams"
    }

    struct Cam: Codable {
        let id: Int
        /// `640x480`, in pixels of the page; one of the two.
        let size: String?
        let rightlySpelt: String?
        let x: Int
        let y: Int
        let floor: Int
        let up: Int?
        let down: Int?
        let left: Int?
        let right: Int?
        let notice: String?
        let animation: String?

        private enum CodingKeys: String, CodingKey {
            case id = "Cam_id"
            case size = "Cam_farme_size"
            case rightlySpelt = "Cam_frame_size"
            case x = "Cam_x_coordination"
            case y = "Cam_y_coordination"
            case floor = "Cam_floor"
            case up = "Cam_neighborhood_up"
            case down = "Cam_neighborhood_down"
            case left = "Cam_neighborhood_left"
            case right = "Cam_neighborhood_right"
            case notice = "Cam_reminder_notice"
            case animation = "Cam_animation_style"
        }

        init(_ settings: CameraSettings) {
            id = settings.number
            size = "\(settings.frame.width)x\(settings.frame.height)"
            rightlySpelt = nil
            (x, y) = (settings.frame.x, settings.frame.y)
            floor = settings.floor
            let neighbours = settings.neighbours
            (up, down) = (neighbours.up, neighbours.down)
            (left, right) = (neighbours.left, neighbours.right)
            notice = settings.notice ?? ""
            animation = settings.animation ?? ""
        }

        /// Where nobody is next stands `null`.
        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            for (key, number) in [(CodingKeys.id, id), (.x, x), (.y, y), (.floor, floor)] {
                try values.encode(number, forKey: key)
            }
            for (key, next) in [(CodingKeys.up, up), (.down, down), (.left, left), (.right, right)]
            {
                try values.encode(next, forKey: key)
            }
            for (key, text) in [
                (CodingKeys.size, size), (.notice, notice), (.animation, animation),
            ] {
                try values.encode(text, forKey: key)
            }
        }

        /// What the plan says, and what was known of the camera besides; one that is new is off, and nobody looks at it yet.
        func settings(in site: String, _ old: CameraSettings?) throws(Problem) -> CameraSettings {
            let sides = (size ?? rightlySpelt ?? "").split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2 else {
                throw Problem(
                    .malformedRequest,
                    detail:
                        "Cam_farme_size of camera \(id) is a width and a height, such as 640x480"
                )
            }
            return CameraSettings(
                site: site,
                number: id,
                name: old?.name ?? "\(id)",
                floor: floor,
                latitude: old?.latitude ?? 0,
                longitude: old?.longitude ?? 0,
                source: old?.source ?? .rtsp,
                address: old?.address,
                user: old?.user,
                secret: old?.secret,
                width: old?.width ?? 640,
                height: old?.height ?? 360,
                framesPerSecond: old?.framesPerSecond ?? 10,
                kilobitsPerSecond: old?.kilobitsPerSecond ?? 500,
                keptDays: old?.keptDays ?? 30,
                keptBytes: old?.keptBytes ?? 160 << 30,
                frame: CameraSettings.Frame(x: x, y: y, width: sides[0], height: sides[1]),
                neighbours: CameraSettings.Neighbours(up: up, down: down, left: left, right: right),
                notice: notice.flatMap { $0.isEmpty ? nil : $0 },
                animation: animation.flatMap { $0.isEmpty ? nil : $0 },
                viewers: old?.viewers ?? [],
                isOn: old?.isOn ?? false
            )
        }
    }
}
