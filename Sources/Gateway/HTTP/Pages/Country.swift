// SPDX-License-Identifier: Apache-2.0

/// How numbers are dialled in a country (ITU-T E.164): what a national number, as people write it, needs to be whole.
struct Country: Sendable, Hashable, Encodable {
    /// ISO 3166-1 alpha-2.
    let code: String
    /// Without the plus: `44`.
    let callingCode: String
    /// What stands before a national number at home, and nowhere else; `nil` where nothing does.
    let trunkPrefix: String?
    /// What stands there for the plus; `nil` where it names a carrier, too, so that the plus alone is clear.
    let internationalPrefix: String?
    /// The most digits of a number behind country code or trunk prefix.
    let digitsMost: Int

    /// `nil` for a code that no country with telephones has.
    ///
    /// - Parameter code: ISO 3166-1 alpha-2, in either case.
    init?(code: String) {
        guard let country = Self.all[code.uppercased()] else { return nil }
        self = country
    }

    /// - Parameter row: Code, calling code, most digits; then trunk prefix and international one, `-` for none,
    ///   left away where they are 0 and 00.
    private init?(row: Substring) {
        let words = row.split(separator: " ").map(String.init)
        guard words.count >= 3, let digitsMost = Int(words[2]) else { return nil }
        func prefix(_ index: Int, usual: String) -> String? {
            guard words.indices.contains(index) else { return usual }
            return words[index] == "-" ? nil : words[index]
        }
        code = words[0]
        callingCode = words[1]
        self.digitsMost = digitsMost
        trunkPrefix = prefix(3, usual: "0")
        internationalPrefix = prefix(4, usual: "00")
    }

    private static let all = Dictionary(
        table.split { $0 == "," || $0.isNewline }.compactMap(Country.init(row:)).map {
            ($0.code, $0)
        },
        uniquingKeysWith: { first, _ in first }
    )

    private static let table = """
        AD 376 9 -, AE 971 9, AF 93 9, AG 1 10 - 011, AI 1 10 - 011, AL 355 9, AM 374 8,
        AO 244 9 -, AR 54 11, AS 1 10 - 011, AT 43 13, AU 61 9 0 0011, AW 297 7 -, AX 358 10,
        AZ 994 9, BA 387 9, BB 1 10 - 011, BD 880 10, BE 32 9, BF 226 8 -, BG 359 9,
        BH 973 8 -, BI 257 8 -, BJ 229 10 -, BL 590 9, BM 1 10 - 011, BN 673 7 -, BO 591 8 0 -,
        BQ 599 7 -, BR 55 11 0 -, BS 1 10 - 011, BT 975 8 -, BW 267 8 -, BY 375 9 8 810,
        BZ 501 7 -, CA 1 10 - 011, CC 61 9 0 0011, CD 243 10, CF 236 8 -, CG 242 9 -, CH 41 9,
        CI 225 10 -, CK 682 5 -, CL 56 9 - -, CM 237 9 -, CN 86 11, CO 57 10 0 -, CR 506 8 -,
        CU 53 10 0 119, CV 238 7 -, CW 599 8 -, CX 61 9 0 0011, CY 357 8 -, CZ 420 9 -,
        DE 49 15, DJ 253 8 -, DK 45 8 -, DM 1 10 - 011, DO 1 10 - 011, DZ 213 9, EC 593 9,
        EE 372 8 -, EG 20 10, EH 212 9, ER 291 7, ES 34 9 -, ET 251 9, FI 358 10, FJ 679 7 -,
        FK 500 5 -, FM 691 7 -, FO 298 6 -, FR 33 9, GA 241 8 -, GB 44 10, GD 1 10 - 011,
        GE 995 9, GF 594 9, GG 44 10, GH 233 9, GI 350 8 -, GL 299 6 -, GM 220 9 -, GN 224 9 -,
        GP 590 9, GQ 240 9 -, GR 30 10 -, GT 502 8 -, GU 1 10 - 011, GW 245 9 -,
        GY 592 7 - 001, HK 852 8 - -, HN 504 8 -, HR 385 9, HT 509 8 -, HU 36 9 06,
        ID 62 12 0 -, IE 353 10, IL 972 12 0 -, IM 44 10, IN 91 10, IO 246 7 -, IQ 964 10,
        IR 98 10, IS 354 9 -, IT 39 11 -, JE 44 10, JM 1 10 - 011, JO 962 9, JP 81 10 0 010,
        KE 254 9 0 000, KG 996 9, KH 855 9 0 -, KI 686 8, KM 269 7 -, KN 1 10 - 011, KP 850 10,
        KR 82 10 0 -, KW 965 8 -, KY 1 10 - 011, KZ 7 10 8 810, LA 856 10, LB 961 8,
        LC 1 10 - 011, LI 423 9, LK 94 9, LR 231 9, LS 266 8 -, LT 370 8, LU 352 11 -,
        LV 371 8 -, LY 218 9, MA 212 9, MC 377 9, MD 373 8, ME 382 8, MF 590 9, MG 261 9,
        MH 692 7 - 011, MK 389 8, ML 223 8 -, MM 95 10, MN 976 10 0 001, MO 853 8 -,
        MP 1 10 - 011, MQ 596 9, MR 222 8 -, MS 1 10 - 011, MT 356 8 -, MU 230 8 -, MV 960 7 -,
        MW 265 9, MX 52 10 -, MY 60 10, MZ 258 9 -, NA 264 9, NC 687 6 -, NE 227 8 -,
        NF 672 6 -, NG 234 10 0 009, NI 505 8 -, NL 31 11, NO 47 8 -, NP 977 10, NR 674 7 -,
        NU 683 7 -, NZ 64 10, OM 968 8 -, PA 507 8 -, PE 51 9, PF 689 8 -, PG 675 8 -,
        PH 63 10, PK 92 10, PL 48 9 -, PM 508 9, PR 1 10 - 011, PS 970 9, PT 351 9 -,
        PW 680 7 - 011, PY 595 9, QA 974 8 -, RE 262 9, RO 40 9, RS 381 12, RU 7 10 8 810,
        RW 250 9, SA 966 9, SB 677 7 -, SC 248 7 -, SD 249 9, SE 46 9, SG 65 8 - -, SH 290 5 -,
        SI 386 8, SJ 47 8 -, SK 421 9, SL 232 8, SM 378 10 -, SN 221 9 -, SO 252 9, SR 597 7 -,
        SS 211 9, ST 239 7 -, SV 503 8 -, SX 1 10 - 011, SY 963 9, SZ 268 8 -, TC 1 10 - 011,
        TD 235 8 -, TG 228 8 -, TH 66 9 0 -, TJ 992 9 - 810, TK 690 7 -, TL 670 8 -,
        TM 993 8 8 810, TN 216 8 -, TO 676 7 -, TR 90 10, TT 1 10 - 011, TV 688 7 -,
        TW 886 9 0 -, TZ 255 9 0 000, UA 380 9, UG 256 9 0 000, US 1 10 - 011, UY 598 8,
        UZ 998 9 -, VA 39 11 -, VC 1 10 - 011, VE 58 10, VG 1 10 - 011, VI 1 10 - 011,
        VN 84 10, VU 678 7 -, WF 681 6 -, WS 685 10 -, XK 383 12, YE 967 9, YT 262 9, ZA 27 9,
        ZM 260 9, ZW 263 9
        """
}
