/** The memory that the process returns while it is idle. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const module = new URL('./idle-memory.ts', import.meta.url).href

/** Fills the young generation, then waits until it is small again. Prints its size in bytes before and after. */
const program = `
import { getHeapSpaceStatistics } from 'node:v8'
import { setTimeout as sleep } from 'node:timers/promises'
const { returnIdleMemory } = await import('${module}')
const young = () => getHeapSpaceStatistics().find(space => space.space_name === 'new_space').space_size
let kept = []
for (let round = 0; young() < 32e6 && round < 2000; round++) {
  kept = Array.from({ length: 10_000 }, (_, index) => ({ index, kept: kept[index] && kept[index].index }))
}
const before = young()
const stop = returnIdleMemory()
for (let poll = 0; poll < 300 && young() > 16e6; poll++) await sleep(100)
stop()
console.log(JSON.stringify({ before, after: young() }))
`

it('returns the memory of young objects once the process is idle', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const { before, after } = JSON.parse(stdout) as { before: number; after: number }
  expect(before).toBeGreaterThan(16e6)
  expect(after).toBeLessThan(16e6)
})
