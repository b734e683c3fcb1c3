// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A web server over a folder that shows entry bundles, compressed, to the bearer of a token only.
final class TileServer {
    let url: String
    private let process = Process()

    init(folder: URL, token: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        let path = folder.path(percentEncoded: false)
        process.arguments = ["python3", "-c", Self.script, path, token]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The server prints its port once it listens; the line may come in pieces.
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw CocoaError(.executableLoad) }
            line += piece
        }
        url = "http://127.0.0.1:\(String(decoding: line.dropLast(), as: UTF8.self))/log"
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    private static let script = """
        import gzip, http.server, os, signal, sys
        # A child of a dispatch thread begins with signals blocked, also the one that ends it.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        folder, token = sys.argv[1:]
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                entries = self.path.startswith("/log/tile/entries/")
                path = os.path.join(folder, self.path[len("/log/"):])
                if entries and self.headers["Authorization"] != "Bearer " + token:
                    return self.send_error(401)
                if not self.path.startswith("/log/") or not os.path.isfile(path):
                    return self.send_error(404)
                body = open(path, "rb").read()
                self.send_response(200)
                if entries:
                    body = gzip.compress(body)
                    self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """
}
