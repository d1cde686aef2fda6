/** JSON pointers (RFC 6901), which name the place of an error. */

/** A name as a part of a pointer. */
export function toPointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The names that a pointer goes through. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
