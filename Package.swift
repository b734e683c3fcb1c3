// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Every target, lowest first: the file reads as the architecture (DESIGN §2).
let package = Package(
    name: "daybook",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Events", targets: ["Events"]),
        .library(name: "Commands", targets: ["Commands"]),
        .library(name: "EventsTesting", targets: ["EventsTesting"]),
        .library(name: "Media", targets: ["Media"]),
        .library(name: "MediaTesting", targets: ["MediaTesting"]),
        .library(name: "Projections", targets: ["Projections"]),
        .library(name: "ProjectionsTesting", targets: ["ProjectionsTesting"]),
        .library(name: "Replay", targets: ["Replay"]),
        .library(name: "SIPTesting", targets: ["SIPTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1",
            traits: ["FullFoundation"]
        ),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CLMDB", providers: [.apt(["liblmdb-dev"])]),
        .systemLibrary(name: "CVPX", providers: [.apt(["libvpx-dev"])]),
        .systemLibrary(name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CGStreamer",
            pkgConfig: "gstreamer-1.0",
            providers: [.apt(["libgstreamer1.0-dev"])]
        ),
        // Of C++: libphonenumber has no interface of C.
        .target(name: "CPhone", linkerSettings: [.linkedLibrary("phonenumber")]),
        .systemLibrary(name: "CSandbox"),
        .systemLibrary(name: "CSQLiteSettings"),
        .target(name: "Threads"),
        .target(
            name: "Maps",
            dependencies: ["CZlib", .product(name: "GRDB", package: "GRDB.swift")]
        ),
        .testTarget(
            name: "MapsTests",
            dependencies: [
                "CZlib", "EventsTesting", "Maps", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "Media",
            dependencies: [
                "CSandbox", "CVPX", "CTurboJPEG", "Threads",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(name: "MediaTesting", dependencies: ["Media"]),
        .executableTarget(name: "daybook-media", dependencies: ["Media", "MediaTesting"]),
        // Of C: its libraries are C's, and it is small beside a gateway for each camera.
        .executableTarget(
            name: "daybook-camera",
            dependencies: ["CGStreamer"],
            linkerSettings: [.linkedLibrary("gio-2.0")]
        ),
        .testTarget(
            name: "MediaTests",
            dependencies: [
                "CTurboJPEG", "EventsTesting", "Media", "MediaTesting", "TestSupport",
                "daybook-media",
            ]
        ),
        .target(
            name: "SIP",
            dependencies: [
                "Threads", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .target(name: "SIPTesting", dependencies: ["SIP"]),
        .testTarget(
            name: "SIPTests",
            dependencies: [
                "EventsTesting", "SIP", "SIPTesting", "TestSupport", "Threads",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .target(
            name: "Events",
            dependencies: ["CLMDB", "Threads", .product(name: "Crypto", package: "swift-crypto")]
        ),
        .target(name: "Commands", dependencies: ["Events", "Threads"]),
        .target(name: "EventsTesting", dependencies: ["Events"]),
        .target(
            name: "Projections",
            dependencies: [
                "CSQLiteSettings", "Events", "Threads",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "ProjectionsTesting",
            dependencies: ["Events", "EventsTesting", "Projections"]
        ),
        .target(
            name: "Gateway",
            dependencies: [
                "CPhone", "Commands", "Events", "Maps", "Media", "Projections", "SIP", "Threads",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "Replay",
            dependencies: [
                "Events", "Media", "Projections", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .executableTarget(
            name: "daybook",
            dependencies: [
                "Gateway", "Maps", "Projections", "Replay",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        // System calls that fail on demand, in the test program alone.
        .target(name: "CFaults", path: "Tests/CFaults"),
        .target(
            name: "TestSupport",
            dependencies: [
                "CFaults", "Events", "EventsTesting", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/TestSupport"
        ),
        .testTarget(name: "TidyTests", dependencies: ["TestSupport"]),
        .testTarget(
            name: "EventsTests",
            dependencies: ["Events", "EventsTesting", "TestSupport", "Threads"]
        ),
        .testTarget(
            name: "CommandsTests",
            dependencies: ["Commands", "Events", "EventsTesting", "TestSupport"]
        ),
        .testTarget(
            name: "ProjectionsTests",
            dependencies: [
                "Events", "EventsTesting", "Projections", "ProjectionsTesting", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "ReplayTests",
            dependencies: [
                "daybook", "daybook-media", "Events", "EventsTesting", "Media", "Replay",
                "TestSupport", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Commands", "Events", "EventsTesting", "Gateway", "Maps", "Media", "MediaTesting",
                "Projections", "SIP", "TestSupport", "Threads", "daybook", "daybook-media",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Ingest/sender.py", "WebSocket/peer.py"]
        ),
        .executableTarget(
            name: "daybook-history",
            dependencies: ["Events", "EventsTesting"],
            path: "Tests/History"
        ),
        // Speed is a ratio: each row runs beside the same work in plain C, in the same run (DESIGN §10).
        .target(
            name: "Baselines",
            path: "Benchmarks/Baselines",
            linkerSettings: [
                .linkedLibrary("lmdb"), .linkedLibrary("sqlite3"), .linkedLibrary("vpx"),
            ]
        ),
        .executableTarget(
            name: "daybook-benchmarks",
            dependencies: [
                "Baselines", "Commands", "Events", "EventsTesting", "Media", "MediaTesting",
                "Projections", "Replay",
            ],
            path: "Benchmarks/Rows"
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// One strictness for all of ours (STYLE §9).
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
