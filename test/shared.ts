/**
 * Reads `../shared`, a folder beside the checkout with files that may not be in the repository: pages of third
 * parties, and price data with other licences. Only this module knows its path.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../../shared/', import.meta.url)

export const hasShared = ['fixtures/README.md', 'data/README.md'].every(path =>
  existsSync(new URL(path, folder)),
)

export const sharedMissing = '../shared is not here (its files may not be part of the repository)'

/** Throws if the folder is missing. For benchmarks, and for runs that may not skip tests. */
export function assertShared(): void {
  if (!hasShared)
    throw new Error(`The folder ${fileURLToPath(folder)} is missing: this test run needs its files.`)
}

/** The path of a file, such as `fixtures/feeds/trovit.xml`. */
export const sharedPath = (path: string): string => fileURLToPath(new URL(path, folder))

export const readShared = (path: string): string => readFileSync(sharedPath(path), 'utf8')

export const readSharedBytes = (path: string): Buffer<ArrayBuffer> => readFileSync(sharedPath(path))

/** The names of the files in a folder, all or those with this ending. */
export const listShared = (path: string, ending = ''): string[] =>
  readdirSync(sharedPath(path)).filter(name => name.endsWith(ending))
