// SPDX-License-Identifier: Apache-2.0
/** The page on which a passer-by reports an animal. */
import { pressOnce, theme } from "../../core/dom.js";
import { keepPage } from "../../core/kept-page.js";
import { ReportPage } from "./parts/report-page.js";
import { reportReady } from "./words.js";

theme.start();
pressOnce();
await reportReady;
await new ReportPage().begin();
document.documentElement.dataset.ready = "";
keepPage("report-1", "/report", ["/report"]);
