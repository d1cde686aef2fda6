/** Clients that two generators make from openapi.json compile, and require no more fields than the API. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const execFileAsync = promisify(execFile)
const root = new URL('../../', import.meta.url).pathname
const resolveTool = (name: string) => `${root}test/clients/node_modules/.bin/${name}`

test('openapi-typescript and hey-api make clients that compile, with optional fields for defaults', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'aldaba-clients-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await cp(`${root}test/clients/program.ts`, join(dir, 'program.ts'))
  const generate = (tool: string, args: string[]) =>
    execFileAsync(process.execPath, [resolveTool(tool), ...args], { cwd: dir, timeout: 200_000 })
  await Promise.all([
    generate('openapi-typescript', [`${root}openapi.json`, '-o', join(dir, 'openapi-typescript.ts')]),
    generate('openapi-ts', [
      '-i',
      `${root}openapi.json`,
      '-o',
      join(dir, 'hey-api'),
      '-p',
      '@hey-api/typescript',
      '--no-log-file',
    ]),
  ])
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext']
  const { stdout } = await execFileAsync(
    process.execPath,
    [
      resolveTool('tsc'),
      ...options,
      '--moduleResolution',
      'bundler',
      '--allowImportingTsExtensions',
      'program.ts',
    ],
    { cwd: dir, timeout: 200_000 },
  ).catch(error => error)
  expect(stdout).toBe('')
})
