/** Detects gzip files. */

/** Returns whether these are the first bytes of a gzip file (RFC 1952, section 2.3.1). */
export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b
}
