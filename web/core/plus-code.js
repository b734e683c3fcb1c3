// SPDX-License-Identifier: Apache-2.0

const digits = "23456789CFGHJMPQRVWX";

/** The Open Location Code of ten digits: a square of about 14 m, which can be read out. */
export function plusCode(latitude, longitude) {
  const steps = 8000; // of a degree, in the tenth digit
  let north = Math.floor((Math.min(90, Math.max(-90, latitude)) + 90) * steps);
  let east = Math.floor((((longitude + 180) % 360) + 360) % 360 * steps);
  north = Math.min(north, 180 * steps - 1);
  let code = "";
  for (let pair = 0; pair < 5; pair++) {
    code = digits[north % 20] + digits[east % 20] + code;
    north = Math.floor(north / 20);
    east = Math.floor(east / 20);
  }
  return `${code.slice(0, 8)}+${code.slice(8)}`;
}
