/** Tests in Chromium, at `CHROMIUM` or in /usr/bin. Without one they are skipped, and their name says so. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe } from 'vitest'
import { type Chromium, chromiumPath, startChromium, type Tab } from './chromium.ts'

/** Runs before the first test, and stops after the last one. */
export function describeInChromium(define: (chromium: Pick<Chromium, 'open' | 'print'>) => void): void {
  const name = `in Chromium${chromiumPath ? '' : ' (skipped: it is not installed)'}`
  describe.skipIf(!chromiumPath)(name, () => {
    let chromium: Chromium
    beforeAll(async () => {
      const profile = await mkdtemp(join(tmpdir(), 'aldaba-chromium-'))
      chromium = await startChromium(chromiumPath!, profile)
      return async () => {
        await chromium.stop()
        await rm(profile, { recursive: true, force: true, maxRetries: 5 })
      }
    })
    define({
      open: (url, size) => chromium.open(url, size),
      print: url => chromium.print(url),
    })
  })
}

const axeSource = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Violation {
  id: string
  impact: string
  nodes: { html: string }[]
}

/** What axe calls serious or critical, also in shadow roots. */
export async function findAxeViolations(tab: Tab): Promise<string[]> {
  await tab.evaluate(`${axeSource}; null`)
  const violations = await tab.evaluate<Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`)
}
