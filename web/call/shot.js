// SPDX-License-Identifier: Apache-2.0
/**
 * What a video shows now, as a picture that nobody has to approve.
 * @param {HTMLVideoElement} video
 * @returns {Promise<Blob | null>} Nothing while it shows nothing.
 */
export function shotOf(video) {
  const { videoWidth: width, videoHeight: height } = video;
  if (!width || !height) return Promise.resolve(null);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(video, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
}
