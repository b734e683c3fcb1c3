// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird

/// The text exposition format of Prometheus, version 0.0.4.
extension PrometheusRegistry {
    /// The answer of `/metrics`.
    func response() -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text()))
        )
    }

    /// Every series, in a steady order, with `HELP` and `TYPE` lines before each name.
    func text() -> String {
        let (numbers, histograms, dropped) = snapshot()
        var text = ""
        var named = ""
        for (series, number) in numbers {
            if series.name != named { text += Self.head(series.name, number.kind.rawValue) }
            named = series.name
            text += Self.line(series.name, series.labels, number.value)
        }
        for (series, histogram) in histograms {
            if series.name != named { text += Self.head(series.name, "histogram") }
            named = series.name
            text += Self.lines(of: histogram, series)
        }
        text += Self.head("daybook_metrics_dropped_total", "counter")
        return text + Self.line("daybook_metrics_dropped_total", "", Double(dropped))
    }

    /// A label of swift-metrics as a Prometheus name of ours.
    static func name(_ label: String, suffix: String = "") -> String {
        let name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        // What holds for every process has the names that every Prometheus knows.
        let prefix = name.hasPrefix("process_") ? "" : "daybook_"
        return prefix + name + (name.hasSuffix(suffix) ? "" : suffix)
    }

    private static func head(_ name: String, _ kind: String) -> String {
        (help(name).map { "# HELP \(name) \($0)\n" } ?? "") + "# TYPE \(name) \(kind)\n"
    }

    /// Dimensions as labels, sorted and escaped: `a="1",b="2"`.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.sorted { $0.0 < $1.0 }
            .map { name, value in
                let escaped = value.map { character in
                    switch character {
                    case "\\": "\\\\"
                    case "\"": "\\\""
                    case "\n": "\\n"
                    default: String(character)
                    }
                }
                return "\(name)=\"\(escaped.joined())\""
            }
            .joined(separator: ",")
    }

    private static func lines(of histogram: MetricHistogram, _ series: Series) -> String {
        let reading = histogram.current
        let prefix = series.labels.isEmpty ? "" : series.labels + ","
        var text = ""
        for (bound, count) in zip(histogram.bounds, reading.cumulative) {
            let labels = "\(prefix)le=\"\(number(bound))\""
            text += line(series.name + "_bucket", labels, Double(count))
        }
        text += line(series.name + "_bucket", prefix + "le=\"+Inf\"", Double(reading.count))
        text += line(series.name + "_sum", series.labels, reading.sum)
        return text + line(series.name + "_count", series.labels, Double(reading.count))
    }

    private static func line(_ name: String, _ labels: String, _ value: Double) -> String {
        labels.isEmpty ? "\(name) \(number(value))\n" : "\(name){\(labels)} \(number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
