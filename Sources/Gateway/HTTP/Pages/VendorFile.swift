// SPDX-License-Identifier: Apache-2.0

/// One file of somebody else that a page uses, and where packages put it.
///
/// Nothing is copied into this project: the file stays its package's. What is not in ``all`` cannot
/// be asked for.
struct VendorFile: Sendable, Hashable {
    /// What pages call it.
    let name: String
    /// The extension, which decides the type.
    let kind: String
    /// Below a folder of such packages.
    let path: String
    /// The Debian package that has it.
    let package: String

    /// What pages look it up by: `leaflet.js`.
    var key: String { "\(name).\(kind)" }

    /// Every file that a page may use.
    static let all = [
        VendorFile(
            name: "leaflet",
            kind: "js",
            path: "leaflet/leaflet.esm.min.js",
            package: "libjs-leaflet"
        ),
        VendorFile(
            name: "leaflet",
            kind: "css",
            path: "leaflet/leaflet.css",
            package: "libjs-leaflet"
        ),
        // Pages draw without its style sheet, which knows neither our colours nor a dark page.
        VendorFile(
            name: "dygraphs",
            kind: "js",
            path: "dygraphs/dygraph.min.js",
            package: "libjs-dygraphs"
        ),
    ]

    /// Where packages put such files, after the folder that the site names.
    static let roots = ["/usr/share/javascript", "/usr/local/share/javascript"]
}
