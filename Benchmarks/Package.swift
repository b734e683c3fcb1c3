// SPDX-License-Identifier: Apache-2.0
// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Speed is a ratio: each row runs beside the same work in plain C, in the same run (DESIGN §10).
let package = Package(
    name: "daybook-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "daybook", path: "..")
    ],
    targets: [
        .target(
            name: "Baselines",
            cSettings: [.unsafeFlags(["-O2"])],
            linkerSettings: [
                .linkedLibrary("lmdb"), .linkedLibrary("sqlite3"), .linkedLibrary("vpx"),
            ]
        ),
        .executableTarget(
            name: "DaybookBenchmarks",
            dependencies: [
                "Baselines",
                .product(name: "Commands", package: "daybook"),
                .product(name: "Events", package: "daybook"),
                .product(name: "EventsTesting", package: "daybook"),
                .product(name: "Media", package: "daybook"),
                .product(name: "MediaTesting", package: "daybook"),
                .product(name: "Projections", package: "daybook"),
                .product(name: "Replay", package: "daybook"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
