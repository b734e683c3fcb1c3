// SPDX-License-Identifier: Apache-2.0
/** What our service workers have in common. Each brings it in by `importScripts`, so it is no module, and its one name is `daybookWorker`. */
self.daybookWorker = {
  /** What a push says; `null` where it is nothing of ours. @param {PushMessageData | null} data */
  read(data) {
    try {
      return data.json();
    } catch {
      return null;
    }
  },

  /** Nothing is shown where the browser allows that. Safari ends a subscription after a few pushes that showed nothing, so there a quiet word has to be. */
  async quietly(title, options) {
    const isStrict = /^((?!Chrom|Android|Firefox).)*Safari/.test(navigator.userAgent);
    if (isStrict) await self.registration.showNotification(title, { ...options, silent: true });
  },

  /** The windows that show a page. @param {string} path */
  async windows(path) {
    const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    return all.filter(({ url }) => new URL(url).pathname === path);
  },

  /** Brings a page to the front, opened anew where no window shows it. @param {string} address */
  async open(address) {
    const [page] = await self.daybookWorker.windows(new URL(address, location.origin).pathname);
    return page ? page.focus() : self.clients.openWindow(address);
  },
};
