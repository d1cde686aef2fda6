/** Checks the version of Node. An older one cannot parse the program, and its syntax errors would not explain why. */
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const [required, current] = [engines.node, process.versions.node].map(version =>
  version.match(/\d+/g).map(Number),
)
if (current[0] < required[0] || (current[0] === required[0] && current[1] < required[1])) {
  console.error(
    `Aldaba requires Node ${required.join('.')} or newer; this is ${process.versions.node}. After npm ci, "npx aldaba" and "npm start" use the Node that comes with Aldaba on Linux (glibc) and macOS (x64, arm64); elsewhere, install Node yourself.`,
  )
  process.exit(1)
}
