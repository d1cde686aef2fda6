import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const module = new URL('./idle-memory.ts', import.meta.url).href

/** Fills the young generation, then waits until it is small again. Prints what it took, in bytes, before and after. */
const program = `
import { getHeapSpaceStatistics } from 'node:v8'
import { setTimeout as sleep } from 'node:timers/promises'
const { returnIdleMemory } = await import('${module}')
const young = () => getHeapSpaceStatistics().find(space => space.space_name === 'new_space').space_size
let kept = []
for (let round = 0; young() < 32e6 && round < 2000; round++) {
  kept = Array.from({ length: 10_000 }, (_, at) => ({ at, kept: kept[at] && kept[at].at }))
}
const before = young()
const stop = returnIdleMemory()
for (let look = 0; look < 300 && young() > 16e6; look++) await sleep(100)
stop()
console.log(JSON.stringify({ before, after: young() }))
`

it('returns the memory of young objects once the process is idle', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const { before, after } = JSON.parse(stdout) as { before: number; after: number }
  expect(before).toBeGreaterThan(16e6)
  expect(after).toBeLessThan(16e6)
})
