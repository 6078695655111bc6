// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "NetworkQueueKit",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "NetworkQueueKit", targets: ["NetworkQueueKit"]),
        .library(name: "NetworkQueueTesting", targets: ["NetworkQueueTesting"]),
        .library(name: "LoopbackHTTP", targets: ["LoopbackHTTP"]),
        .executable(name: "netqueue", targets: ["netqueue"]),
        .executable(name: "netqueue-bench", targets: ["netqueue-bench"]),
    ],
    targets: [
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .target(
            name: "CZlib",
            linkerSettings: [
                .linkedLibrary("dl", .when(platforms: [.linux])),
                .linkedLibrary("z", .when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .visionOS])),
            ]),
        .target(
            name: "NetworkQueueKit", dependencies: ["CCurl", "CZlib"], resources: [.copy("PrivacyInfo.xcprivacy")]),
        .target(name: "NetworkQueueTesting", dependencies: ["NetworkQueueKit"]),
        .target(name: "LoopbackHTTP", dependencies: ["NetworkQueueKit"]),
        .target(name: "Dashboard", dependencies: ["NetworkQueueKit"], path: "Demo/Dashboard"),
        .executableTarget(
            name: "netqueue", dependencies: ["NetworkQueueKit", "LoopbackHTTP", "Dashboard"], path: "Demo/netqueue"),
        .executableTarget(
            name: "netqueue-examples", dependencies: ["NetworkQueueKit", "NetworkQueueTesting", "LoopbackHTTP"],
            path: "Demo/Examples"),
        .executableTarget(
            name: "netqueue-bench", dependencies: ["NetworkQueueKit", "LoopbackHTTP", "CurlLoopBench", "LineRelay"],
            path: "Tests/Benchmarks",
            exclude: ["CLoop", "Link", "Relay", "disk", "hardline", "instructions", "instructions.txt", "run"]),
        .executableTarget(
            name: "netqueue-chaos", dependencies: ["NetworkQueueKit", "LoopbackHTTP"], path: "Tests/Chaos"),
        .target(name: "CurlLoopBench", dependencies: ["CCurl"], path: "Tests/Benchmarks/CLoop"),
        .target(name: "LineRelay", path: "Tests/Benchmarks/Relay"),
        .target(
            name: "TestSupport", dependencies: ["NetworkQueueKit", "NetworkQueueTesting", "LoopbackHTTP"],
            path: "Tests/TestSupport"),
        .testTarget(
            name: "NetworkQueueKitTests",
            dependencies: ["NetworkQueueKit", "NetworkQueueTesting", "LoopbackHTTP", "CZlib", "TestSupport"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["NetworkQueueKit", "NetworkQueueTesting", "LoopbackHTTP", "TestSupport"]),
        .testTarget(
            name: "DocumentationTests", dependencies: ["NetworkQueueKit", "NetworkQueueTesting", "LoopbackHTTP"]),
        .testTarget(
            name: "DemoTests",
            dependencies: [
                "Dashboard", "NetworkQueueKit", "NetworkQueueTesting", "netqueue", "LoopbackHTTP", "TestSupport",
            ]),
    ]
)
