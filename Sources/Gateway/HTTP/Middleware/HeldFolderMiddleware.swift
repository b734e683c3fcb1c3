// SPDX-License-Identifier: Apache-2.0
import Events
import HTTPTypes
import Hummingbird

/// Refuses whatever would change something while another folder stands where the ledger's was.
///
/// The log refuses by itself; but accounts are changed before it is told of them, and nobody is to be told that they were. Who only
/// reads is answered from the files that are open, and hears 503 where one would have to be opened by its name.
struct HeldFolderMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let folder: HeldFolder

    func handle(
        _ request: Request,
        context: Context,
        next: NextResponder
    ) async throws -> Response {
        switch request.method {
        case .get, .head, .options: break
        default: try folder.check()
        }
        return try await next(request, context)
    }
}
