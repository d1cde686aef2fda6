// An older Node does not even read the program's files, and what it says of them tells nobody what to do.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [wanted, ours] = [engines.node, process.versions.node].map(version => version.match(/\d+/g).map(Number))
if (ours[0] < wanted[0] || (ours[0] === wanted[0] && ours[1] < wanted[1])) {
  console.error(
    `Aldaba takes Node ${wanted.join('.')} or newer, and this is ${process.versions.node}. After npm ci, "npx aldaba" and "npm start" bring their own on Linux (glibc) and macOS, x64 and arm64; elsewhere, install it.`,
  )
  process.exit(1)
}
