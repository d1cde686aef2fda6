/** Saved listing pages with what a careful person found on them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeReply } from '../src/crawl/decode.ts'
import { assertShared, sharedPath } from '../test/shared.ts'

export interface SavedPage {
  name: string
  html: string
  url: string
  expected: Record<string, unknown>
}

export function listFolders(): string[] {
  const folders = process.env.LISTING_PAGES?.split(':').filter(folder => folder !== '')
  if (folders) return folders
  assertShared()
  return [sharedPath('fixtures/listing-detail')]
}

export function readPages(folder: string): SavedPage[] {
  const suffix = '.expected.json'
  return readdirSync(folder)
    .filter(file => file.endsWith(suffix))
    .map(file => {
      const name = file.slice(0, -suffix.length)
      const expected = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>
      const html = decodeReply(readFileSync(join(folder, `${name}.html`)), undefined)
      return { name, html, url: String(expected.url ?? 'https://listing.example/'), expected }
    })
}
