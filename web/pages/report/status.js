// SPDX-License-Identifier: Apache-2.0
/** The page behind a report's private link. */
import { pressOnce, theme } from "../../core/dom.js";
import { keepPage } from "../../core/kept-page.js";
import { StatusPage } from "./parts/status-page.js";
import { reportReady } from "./words.js";

theme.start();
pressOnce();
await reportReady;
await new StatusPage().begin();
document.documentElement.dataset.ready = "";
// The link is private: what is kept has no part of it.
keepPage("report-status-1", "/r/", ["/r/{token}"]);
