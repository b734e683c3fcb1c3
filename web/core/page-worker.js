// SPDX-License-Identifier: Apache-2.0
/** Lets pages open without a network that need nothing else of a worker. Which ones, and under what name they are kept, stands in its address. */
importScripts("/web/core/worker.js");

const asked = new URL(location.href).searchParams;
self.daybookWorker.keepPages(asked.get("name"), asked.getAll("page"));
