// The only module that reads the clock: what needs the present time takes it from here, or from who calls it.

/** Returns the present time in milliseconds. */
export function timeNow() {
  return Date.now();
}

/** Returns the present time as the API writes instants. */
export function instantNow() {
  return new Date(timeNow()).toISOString();
}
