/** Test runs that are killed leave no server and no directory behind. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, inject, onTestFinished, test } from 'vitest'
import { eventually } from './harness.ts'
import { removeDeadRuns } from './run-directory.ts'

/** Starts a server like a test run, and prints its directory. */
const script = `
const { makeRunDirectory } = await import('./test/run-directory.ts')
const { openEmbeddedPostgres } = await import('./src/kit/embedded-postgres.ts')
const directory = await makeRunDirectory()
const passwords = { superuser: 'test', owner: 'test' }
await openEmbeddedPostgres({ dataDir: directory, passwords, mode: 'own', log: () => {} })
console.log(directory)
setInterval(() => {}, 1000)`

test('a run that is killed leaves no server and no directory behind', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  const directory = String(value)
  const pid = Number.parseInt(readFileSync(join(directory, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  const isServing = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  expect(isServing()).toBe(true)
  child.kill('SIGKILL')
  await eventually(
    async () => [isServing(), existsSync(directory)],
    answer => !answer.includes(true),
  )
})

test('directories of ended runs are removed at the next start, and those of live runs are kept', async () => {
  const parent = join(inject('runDir'), 'runs')
  const [dead, living, other] = [
    `aldaba-test-${2 ** 22 + 1}-a`,
    `aldaba-test-${process.pid}-a`,
    'aldaba-test-x',
  ].map(name => join(parent, name)) as [string, string, string]
  for (const directory of [dead, living, other]) mkdirSync(join(directory, 'database'), { recursive: true })
  await removeDeadRuns(parent)
  expect([dead, living, other].map(existsSync)).toEqual([false, true, true])
})
