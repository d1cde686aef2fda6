#!/usr/bin/env node
// The command `aldaba`: compiled code is kept between calls, which makes the second one twice as fast.
import { readFileSync } from 'node:fs'
// As a whole: an older Node lacks what is called below, and would not come so far as to say what it should be.
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [wanted, ours] = [engines.node, process.versions.node].map(version => version.match(/\d+/g).map(Number))
if (ours[0] < wanted[0] || (ours[0] === wanted[0] && ours[1] < wanted[1])) {
  console.error(
    `Aldaba takes Node ${wanted.join('.')} or newer, and this is ${process.versions.node}. After npm ci, "npx aldaba" brings its own.`,
  )
  process.exit(1)
}
nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/aldaba', import.meta.url)))
await import('../src/cli.ts')
