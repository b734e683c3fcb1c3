// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Every target, lowest first: the file reads as the architecture (DESIGN §2).
let package = Package(
    name: "daybook",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Events", targets: ["Events"]),
        .library(name: "EventsTesting", targets: ["EventsTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")
    ],
    targets: [
        .systemLibrary(name: "CLMDB", providers: [.apt(["liblmdb-dev"])]),
        .target(name: "Threads"),
        .target(
            name: "Events",
            dependencies: ["CLMDB", "Threads", .product(name: "Crypto", package: "swift-crypto")]
        ),
        .target(name: "EventsTesting", dependencies: ["Events"]),
        .target(name: "TestSupport", dependencies: ["Events", "EventsTesting"], path: "Tests/TestSupport"),
        .testTarget(name: "EventsTests", dependencies: ["Events", "EventsTesting", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
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
