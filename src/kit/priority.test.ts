/** Background work lowers its own priority only. */
import { execFile } from 'node:child_process'
import { getPriority } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { lowPriority } from './priority.ts'

test('a child process lowers its priority, not that of its parent', async () => {
  const priority = getPriority()
  const program = `import { getPriority } from 'node:os'
import { lowerPriority } from ${JSON.stringify(new URL('./priority.ts', import.meta.url).href)}
lowerPriority()
console.log(getPriority())`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(Number(stdout)).toBe(lowPriority)
  expect(getPriority()).toBe(priority)
})
