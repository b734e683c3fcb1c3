// SPDX-License-Identifier: Apache-2.0

/// Notes made by others.
enum NoteVectors {
    /// The example of C2SP signed-note.
    static let exampleKey = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
    static let example = """
        This is an example message.

        — example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXm\
        RKuwHjG1Yu72IneyaQM=

        """

    /// The example of Go's package for this format, with its private key.
    static let goKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    static let goPrivateKey =
        "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
    static let goText = """
        If you think cryptography is the answer to your problem,
        then you don't know what your problem is.

        """
    static let goNote = """
        \(goText)
        — PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpR\
        Zb6KE6RyyBwJnAM=

        """

    /// A checkpoint over the eight shared leaves, signed and cosigned by a Python program with the
    /// key whose seed is the bytes 0 to 31.
    static let seed = [UInt8](0..<32)
    static let origin = "ledger.example/main"
    static let checkpointKey =
        "ledger.example/main+22044f0f+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
    static let witnessKey =
        "witness.example/w1+e75f6532+BAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
    static let checkpoint = """
        ledger.example/main
        8
        XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=

        — ledger.example/main IgRPD3olKOdgwwpnjRgVzxu4fC8sAPhhIqmMKz+tdu4JTh3KJTtRbMae/l1DnojuRlUH3t\
        A6Oxhhao+9PA5hNMILCQY=

        """
    static let cosignature = """
        — witness.example/w1 519lMgAAAABlU/EAguK0Yyr+dz+ZlnLaUeMOmL3udvhX3mUNVbsi4Sl0ayY2RjWezNJ2H6\
        BQalyUOv5Z/EUCwBEDj+M/m+NArXUqAw==

        """
}
