/** JSON pointers (RFC 6901), the paths of input errors. */

/** Escapes a name as one part of a pointer. */
export function toPointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Returns the unescaped names of a pointer. */
export function parsePointer(pointer: string): string[] {
  return pointer
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
