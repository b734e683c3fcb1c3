// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A package of somebody else: it knows only Daybook's public products.
let package = Package(
    name: "projector-sample",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "daybook", path: "../..")],
    targets: [
        .target(
            name: "Species",
            dependencies: [
                .product(name: "Events", package: "daybook"),
                .product(name: "Projections", package: "daybook"),
            ]
        ),
        .testTarget(
            name: "SpeciesTests",
            dependencies: [
                "Species",
                .product(name: "Events", package: "daybook"),
                .product(name: "EventsTesting", package: "daybook"),
                .product(name: "Projections", package: "daybook"),
                .product(name: "ProjectionsTesting", package: "daybook"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
