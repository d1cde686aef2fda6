/** Parses values of environment variables. Each function returns undefined for an invalid one. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'

export function parseKey(text: string): string | undefined {
  return Buffer.from(text, 'base64').length === 32 ? text : undefined
}

export function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined
}

export function parseDatabaseUrl(text: string): string | undefined {
  return /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined
}

export function parseHttpUrl(text: string): string | undefined {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text.replace(/\/+$/, '') : undefined
}

export function parseRootUrl(text: string): string | undefined {
  return URL.parse(text)?.pathname === '/' ? parseHttpUrl(text) : undefined
}

/** A base URL may have a path, as proxies do, but no credentials, query or fragment. */
export function parseBaseUrl(text: string): string | undefined {
  const { username, password, search, hash } = URL.parse(text) ?? {}
  return username || password || search || hash ? undefined : parseHttpUrl(text)
}

/** Parses base URLs by provider id. */
export function parseProviderUrls(text: string): Record<string, string> | undefined {
  const entries = text.split(',').map((entry): [string, string] => {
    const [id = '', url = ''] = entry.split(/=(.*)/s)
    return [id.trim(), parseBaseUrl(url.trim()) ?? '']
  })
  const isValid = entries.every(([id, url]) => /^[a-z][a-z0-9_]*$/.test(id) && url)
  return isValid && new Set(entries.map(([id]) => id)).size === entries.length
    ? Object.fromEntries(entries)
    : undefined
}

export function parseBasePaths(text: string): string[] | undefined {
  const paths = text.split(',').map(path => path.trim())
  return paths.every(path => /^(\/[\w.-]+)*$/.test(path)) ? [...new Set(paths)] : undefined
}

export function parseRanges(text: string): string[] | undefined {
  const ranges = text.split(',').map(range => range.trim())
  return ranges.every(range => ipaddr.isValidCIDR(range)) ? ranges : undefined
}

/** Printable signs without spaces. */
export function parseWord(text: string): string | undefined {
  return /^[\x21-\x7e]{1,500}$/.test(text) ? text : undefined
}

export function parseGb(text: string): number | undefined {
  const gb = /^\d{1,7}(\.\d{1,3})?$/.test(text) ? Number(text) : 0
  return gb >= 0.001 && gb <= 1_000_000 ? gb : undefined
}

export function parseMapTiles(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return existsSync(text) ? resolve(text) : undefined
  const isTemplate = /[{}]/.test(text)
  const isComplete = ['{z}', '{x}', '{y}'].every(part => text.includes(part))
  const url = URL.parse(text)
  if (!url || url.username || url.password || (isTemplate && !isComplete)) return undefined
  return text
}
